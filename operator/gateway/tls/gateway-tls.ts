import { X509Certificate } from 'node:crypto'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import { createLoop, loopPart } from '../../../common/runtime/loop.ts'
import { readTlsFiles } from './tls-files.ts'
import type { TlsFiles } from './tls-files.ts'

/** The certificate of the gateway, and what runners trust. */
export interface GatewayTls {
  /** PEM of the authorities, as last read: new runners get them. */
  ca(): string
  /** @param present is called before the promise resolves, and later with each new certificate */
  start(present: (files: TlsFiles) => void): Promise<void>
  stop(): Promise<void>
}

const everyMs = 10_000

/**
 * Reads the files of the mounted Secret again and again, so that a renewal restarts nothing. Files that do not belong
 * together change nothing, and the log has them.
 * @throws InvalidSettings
 */
export function createGatewayTls(
  folder: string,
  { effects, logger }: { readonly effects: Effects; readonly logger: Logger },
): GatewayTls {
  let files = readTlsFiles(folder)
  let show: (next: TlsFiles) => void = () => undefined
  const loop = createLoop({
    name: 'gateway-certificate',
    everyMs,
    effects,
    logger,
    async work() {
      const found = readTlsFiles(folder)
      if (found.cert !== files.cert || found.key !== files.key) show(found)
      files = found
    },
  })
  const part = loopPart('gateway-certificate', (signal) => loop.run(signal))
  return {
    ca: () => files.ca,
    start(present) {
      show = (next) => {
        present(next)
        const { fingerprint256: fingerprint, validTo: expires } = new X509Certificate(next.cert)
        logger.info('the gateway presents a certificate', { fingerprint, expires })
      }
      show(files)
      return part.start()
    },
    stop: () => part.stop(),
  }
}
