import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import type { Clock, Failpoint } from '../../common/runtime/effects.ts'
import type { FromSupervisor, Kill, Order, Probe, Run, SandboxMode } from '../link/messages.ts'
import { parseToSupervisor } from '../link/parse-to-supervisor.ts'
import { existingPaths } from './run/existing-paths.ts'
import { createFfprobePool } from './probe/ffprobe-pool.ts'
import { startFfprobe } from './probe/ffprobe-process.ts'
import type { FfprobeProcess, ProbeKind } from './probe/ffprobe-process.ts'
import type { JobFolders } from './sandbox/landlock-rules.ts'
import { createLimit } from '../../common/bounded/limit.ts'
import { serveLink } from './link-server.ts'
import type { MemoryGroup, PidsGroup } from './sandbox/control-group.ts'
import { packageVersion } from './probe/package-version.ts'
import { probe, recordProbes } from './probe/probe.ts'
import { startRun } from './run/run.ts'
import type { RunningCommand } from './run/run.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
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
  const { clock, failpoint, memory, pids, settings } = deps
  const exit = Promise.withResolvers<number>()
  const aborter = new AbortController()
  // No more connections are accepted: a listening socket would keep this process running.
  const stopped = Promise.withResolvers<void>()
  const commands = new Map<string, RunningCommand>()
  const tasks = new Set<Promise<void>>()
  const probeSlot = createLimit(availableParallelism())
  const expected = createFfprobePool(startProbe)
  // Messages that came during the self-test: `transfer` need not wait for its end.
  const early: Order[] = []
  let sandbox: Sandbox | null = null
  let finishing = false
  // A `transfer` that died before its first message leaves no link that could close; this container
  // would hold the pod's CPUs until the pod's deadline.
  const giveUp = clock.schedule(connectMs, () => {
    deps.complain(new Error(`transfer did not connect within ${connectMs / 1000} s`))
    finish(supervisorExit.ffmpegContainerLost)
  })

  // Started first: it runs concurrently with the rest of the start.
  const testing = testSandbox(deps)
  const link = serveLink(settings.socketPath, {
    onLine: handle,
    onLost(cause) {
      deps.complain(cause)
      finish(supervisorExit.ffmpegContainerLost)
    },
  })
  track(greet())
  return { ended: exit.promise, stop: () => finish(supervisorExit.interrupted) }

  async function greet(): Promise<void> {
    const ffmpegVersion = packageVersion(settings.packageList, 'ffmpeg')
    const [test] = await Promise.all([
      testing,
      Promise.race([link.connected.then(giveUp), stopped.promise]),
    ])
    if (finishing) return
    sandbox = test.sandbox
    const { report } = test
    send({ type: 'ready', ffmpegVersion, sandbox: report, cpus: availableParallelism() }, false)
    if (sandbox === null) return finish(supervisorExit.sandboxUnavailable)
    for (const message of early.splice(0)) obey(message, sandbox)
  }

  /** @throws an error that ends the link: the only peer sent an invalid message */
  function handle(line: string): void {
    const message = parseToSupervisor(line)
    if (message.type === 'bye') return finish(supervisorExit.dismissed)
    if (sandbox === null) early.push(message)
    else obey(message, sandbox)
  }

  function obey(message: Order, behind: Sandbox): void {
    if (message.type === 'kill') return end(message)
    if (message.type === 'probe') return track(answer(message))
    if (commands.has(message.id)) throw new Error(`run '${message.id}' is under way already`)
    track(execute(message, behind))
  }

  async function answer(request: Probe): Promise<void> {
    const { work } = settings.folders
    const probed = await probeSlot(() => probe({ work, processFor }, request))
    expected.forget(resolve(work, request.path))
    await failpoint('supervisor.probed', async () => send(probed, false))
  }

  function processFor(file: string, kind: ProbeKind): FfprobeProcess {
    return expected.take(file, kind) ?? startProbe(kind)
  }

  function startProbe(kind: ProbeKind): FfprobeProcess {
    if (sandbox === null) throw new Error('nothing is started before the sandbox is proven')
    const { maxPixels } = settings
    return startFfprobe({ clock, sandbox, maxPixels, signal: aborter.signal }, kind)
  }

  async function execute(run: Run, behind: Sandbox): Promise<void> {
    const outputs = run.outputs.map((path) => resolve(settings.folders.work, path))
    const onSpawned = (): void => {
      if (!finishing) for (const file of outputs) expected.expect(file, recordProbes(file))
    }
    const command = startRun(
      { clock, failpoint, sandbox: behind, memory, pids, send, onSpawned },
      run,
    )
    commands.set(run.id, command)
    const { code, reason } = await command.ended
    commands.delete(run.id)
    if (code !== 0 || reason !== null) for (const file of outputs) expected.forget(file)
  }

  function end({ id, reason }: Kill): void {
    for (const [each, command] of commands) if (id === null || id === each) command.end(reason)
  }

  function send(message: FromSupervisor, expendable: boolean): boolean {
    return link.send(message, expendable)
  }

  function track(task: Promise<void>): void {
    const watched = task
      .catch((error: unknown) => {
        if (finishing) return
        deps.complain(error instanceof Error ? error : new Error(String(error)))
        finish(supervisorExit.unexpected)
      })
      .finally(() => tasks.delete(watched))
    tasks.add(watched)
  }

  function finish(code: number): void {
    if (finishing) return
    finishing = true
    giveUp()
    commands.forEach((command) => command.end('interrupted'))
    aborter.abort()
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
