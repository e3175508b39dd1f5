import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { armedFailpoint, directly } from '../../common/runtime/failpoint.ts'
import { transferExit } from '../../common/domain/failures.ts'
import { parsePodName } from '../../common/gateway/pod-name.ts'
import { crash, systemEffects } from '../../common/runtime/system-effects.ts'
import { startThreadPool } from '../link/start-thread-pool.ts'
import { awaitCommand } from './await-command.ts'
import { createGateway } from './gateway/gateway.ts'
import { gatewayRequests } from './gateway/request.ts'
import { createLog } from './report/log.ts'
import { runCommand } from './run-command.ts'
import { readArguments } from './settings.ts'

/** How long the gateway may be unavailable before an attempt is given up as lost. */
const gatewayPatienceMs = 600_000
/** Within the 15 s between SIGTERM and SIGKILL: a result in flight may still arrive. */
const graceMs = 12_000
/** Node.js counts its monotonic time from here. */
const processStartMs = 0

const failpoints = process.env['CLOUD_FFMPEG_FAILPOINTS'] ?? ''
const effects = systemEffects(failpoints === '' ? directly : armedFailpoint(failpoints, crash))
const log = createLog(
  effects.clock,
  (line) => {
    process.stdout.write(line)
  },
  // The pod's name gives it before the gateway does.
  { command_id: parsePodName(hostname())?.commandId },
)

startThreadPool()

// PID 1 has no default handlers: without one, SIGTERM would be ignored.
const interrupted = new AbortController()
process.on('SIGTERM', () => {
  interrupted.abort()
  effects.clock.schedule(graceMs, () => process.exit(transferExit.interrupted))
})

process.exit(await exitCode())

async function exitCode(): Promise<number> {
  try {
    const settings = readArguments(process.argv.slice(2))
    const ask = gatewayRequests(
      {
        url: settings.gatewayUrl,
        // A line from memory; node:fs/promises takes longer to load than that to read.
        readToken: async () => readFileSync(settings.tokenFile, 'utf8').trim(),
        ca: settings.gatewayCa,
      },
      effects,
    )
    return await runCommand(
      {
        gateway: createGateway(ask, gatewayPatienceMs),
        awaitCommand: settings.isWarmRunner
          ? (signal) => awaitCommand(ask, effects, log, { startedMs: processStartMs, signal })
          : null,
        effects,
        log,
        // IPv4 first: clusters without a way out by IPv6 are common, and its packets just vanish there.
        resolve: async (host) =>
          (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address),
        work: settings.work,
        socketPath: settings.socketPath,
        writeTerminationMessage: (text) => writeFile(settings.terminationMessageFile, text),
      },
      interrupted.signal,
    )
  } catch (error) {
    log('error', 'unexpected', { error })
    return transferExit.unexpected
  }
}
