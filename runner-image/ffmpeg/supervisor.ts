import { availableParallelism } from 'node:os'
import type { Clock, Failpoint } from '../../common/runtime/effects.ts'
import type { Order, SandboxMode } from '../link/messages.ts'
import { parseToSupervisor } from '../link/parse-to-supervisor.ts'
import { carryOutOrders } from './carry-out-orders.ts'
import type { Orders } from './carry-out-orders.ts'
import { serveLink } from './link-server.ts'
import { packageVersion } from './probe/package-version.ts'
import type { Send } from './run/run-report.ts'
import type { MemoryGroup, PidsGroup } from './sandbox/control-group.ts'
import { existingPaths } from './sandbox/existing-paths.ts'
import type { JobFolders } from './sandbox/landlock-rules.ts'
import { selfTest } from './sandbox/self-test.ts'
import type { SelfTest } from './sandbox/self-test.ts'

export interface SupervisorDeps {
  readonly clock: Clock
  readonly failpoint: Failpoint
  readonly memory: MemoryGroup
  readonly pids: PidsGroup
  readonly settings: SupervisorSettings
  /** Called with the reason if it ends without a request of `transfer`. */
  readonly complain: (cause: Error) => void
}

export interface SupervisorSettings {
  readonly socketPath: string
  readonly folders: JobFolders
  readonly mode: SandboxMode
  readonly seccompFilter: string
  /** Largest picture that ffprobe may decode. */
  readonly maxPixels: number
  /** A file that this process can read and FFmpeg must not: the self-test tries. */
  readonly outsideFile: string
  /** Packages of the image, as package-list.sh writes them. */
  readonly packageList: string
}

export interface Supervisor {
  /** Resolves with the exit code of the process, when everything it started is gone. */
  readonly ended: Promise<number>
  /** On SIGTERM: the pod is being taken away. */
  stop(): void
}

/** Exit codes of the `ffmpeg` container. */
export const supervisorExit = {
  dismissed: 0,
  /** A bug: the message on stderr is all there is. */
  unexpected: 42,
  sandboxUnavailable: 43,
  /** `transfer` is gone, or spoke nonsense. */
  ffmpegContainerLost: 44,
  interrupted: 143,
} as const

/** Both containers start together; starting one takes milliseconds, because no image is pulled. */
const connectMs = 60_000

/**
 * Serves one `transfer` until it says `bye`: runs its requests in the sandbox, and never outlives
 * it, because no other process would end FFmpeg or store its outputs.
 */
export function startSupervisor(deps: SupervisorDeps): Supervisor {
  const { clock, settings, complain } = deps
  const exit = Promise.withResolvers<number>()
  // No more connections are accepted: a listening socket would keep this process running.
  const stopped = Promise.withResolvers<void>()
  const tasks = new Set<Promise<void>>()
  // Messages that came during the self-test: `transfer` need not wait for its end.
  const early: Order[] = []
  let orders: Orders | null = null
  let finishing = false
  // A `transfer` that died before its first message leaves no link that could close; this container
  // would hold the pod's CPUs until the pod's deadline.
  const giveUp = clock.schedule(connectMs, () => {
    complain(new Error(`transfer did not connect within ${connectMs / 1000} s`))
    finish(supervisorExit.ffmpegContainerLost)
  })

  // Started first: it runs concurrently with the rest of the start.
  const testing = testSandbox(deps)
  const link = serveLink(settings.socketPath, {
    onLine: handle,
    onLost(cause) {
      complain(cause)
      finish(supervisorExit.ffmpegContainerLost)
    },
  })
  track(greet())
  return { ended: exit.promise, stop: () => finish(supervisorExit.interrupted) }

  async function greet(): Promise<void> {
    const ffmpegVersion = packageVersion(settings.packageList, 'ffmpeg')
    const [{ sandbox, report }] = await Promise.all([
      testing,
      Promise.race([link.connected.then(giveUp), stopped.promise]),
    ])
    if (finishing) return
    const cpus = availableParallelism()
    link.send({ type: 'ready', ffmpegVersion, sandbox: report, cpus }, false)
    if (sandbox === null) return finish(supervisorExit.sandboxUnavailable)
    const { maxPixels, folders } = settings
    const { work } = folders
    const send: Send = (message, expendable) => link.send(message, expendable)
    orders = carryOutOrders({ ...deps, sandbox, work, maxPixels, send, track })
    for (const order of early.splice(0)) orders.carryOut(order)
  }

  /** @throws an error that ends the link: the only peer sent an invalid message */
  function handle(line: string): void {
    const message = parseToSupervisor(line)
    if (message.type === 'bye') return finish(supervisorExit.dismissed)
    if (orders === null) early.push(message)
    else orders.carryOut(message)
  }

  function track(task: Promise<void>): void {
    const watched = task
      .catch((error: unknown) => {
        if (finishing) return
        complain(error instanceof Error ? error : new Error(String(error)))
        finish(supervisorExit.unexpected)
      })
      .finally(() => tasks.delete(watched))
    tasks.add(watched)
  }

  function finish(code: number): void {
    if (finishing) return
    finishing = true
    giveUp()
    orders?.interrupt()
    stopped.resolve()
    Promise.allSettled(tasks)
      .then(() => link.close())
      .then(() => exit.resolve(code), exit.reject)
  }
}

function testSandbox({ clock, settings }: SupervisorDeps): Promise<SelfTest> {
  const { folders, seccompFilter, outsideFile, mode } = settings
  const sandbox = { folders, seccompFilter, existing: existingPaths(folders) }
  return selfTest({ clock, outsideFile, sandbox }, mode)
}
