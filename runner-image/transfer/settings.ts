import { parseArgs } from 'node:util'

export interface TransferSettings {
  readonly gatewayUrl: string
  /** PEM of the authorities behind a https gateway; null = the system's. */
  readonly gatewayCa: string | null
  readonly tokenFile: string
  /** Waits for a command that is not known yet. */
  readonly isWarmRunner: boolean
  /** Inputs lie in `in` beside it. */
  readonly work: string
  readonly socketPath: string
  readonly terminationMessageFile: string
}

/** @throws if an argument is unknown or the gateway is missing */
export function readArguments(argv: readonly string[]): TransferSettings {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      gateway: { type: 'string' },
      'gateway-ca': { type: 'string' },
      'token-file': { type: 'string', default: '/var/run/secrets/cloud-ffmpeg/token' },
      'warm-runner': { type: 'boolean', default: false },
      work: { type: 'string', default: '/job/work' },
      socket: { type: 'string', default: '/link/ffmpeg.sock' },
      'termination-message': { type: 'string', default: '/dev/termination-log' },
    },
  })
  if (values.gateway === undefined || !URL.canParse(values.gateway)) {
    throw new Error('--gateway: the URL of the runner gateway is missing')
  }
  return {
    gatewayUrl: values.gateway,
    gatewayCa: values['gateway-ca'] ?? null,
    tokenFile: values['token-file'],
    isWarmRunner: values['warm-runner'],
    work: values.work,
    socketPath: values.socket,
    terminationMessageFile: values['termination-message'],
  }
}
