import type { Clock } from '../../common/effects.ts'
import type { SandboxMode, SandboxReport } from '../link/messages.ts'
import { startFenced } from './fenced-process.ts'
import { fencesOf } from './sandbox.ts'
import type { Fence, Sandbox } from './sandbox.ts'

export interface SelfTest {
  readonly report: SandboxReport
  /** null where no fence that the mode accepts works here. */
  readonly sandbox: Sandbox | null
  readonly ffmpegVersion: string
}

export interface SelfTestDeps {
  readonly clock: Clock
  readonly sandbox: Omit<Sandbox, 'fence'>
  /** A file that this process can read and FFmpeg must not. */
  readonly outsideFile: string
}

/** Finds the best fence that holds here: FFmpeg starts behind it, and fails to look over it. */
export async function selfTest(deps: SelfTestDeps, mode: SandboxMode): Promise<SelfTest> {
  const problems: string[] = []
  for (const fence of fencesOf(mode)) {
    const sandbox = { ...deps.sandbox, fence }
    const { problem, ffmpegVersion } = await tryFence(deps, sandbox)
    if (problem === null) {
      return { report: report(mode, fence, problems[0] ?? null), sandbox, ffmpegVersion }
    }
    problems.push(problem)
  }
  return {
    report: report(mode, null, problems[0] ?? 'no fence to try'),
    sandbox: null,
    ffmpegVersion: 'unknown',
  }
}

function report(mode: SandboxMode, fence: Fence | null, problem: string | null): SandboxReport {
  return {
    mode,
    usable: fence !== null,
    landlock: fence !== null && fence.landlock !== null,
    seccomp: fence?.seccomp ?? false,
    problem,
  }
}

async function tryFence({ clock, outsideFile }: SelfTestDeps, sandbox: Sandbox) {
  const { argv, exit, failure } = look(sandbox.fence, outsideFile)
  const { code, log } = await runBriefly(clock, sandbox, argv)
  const ffmpegVersion = /^ffmpeg version (\S+)/m.exec(log)?.[1] ?? 'unknown'
  if (code === exit) return { problem: null, ffmpegVersion }
  const last = log.trimEnd().split('\n').at(-1) ?? ''
  const codes = `exit ${String(code)} instead of ${String(exit)}`
  return { problem: `${failure}: ${codes}: ${last.slice(0, 300)}`, ffmpegVersion }
}

/**
 * One start of FFmpeg proves that it runs behind the fence and is stopped by it; a start costs as
 * much as a short command. That the seccomp filter is there too follows from the start: setpriv
 * ends with an error where it cannot load it.
 */
function look({ landlock, seccomp }: Fence, outsideFile: string) {
  if (landlock !== null) {
    return {
      argv: ['-nostdin', '-i', outsideFile],
      exit: ffmpegExit.accessDenied,
      failure: 'FFmpeg does not start or reads a file outside',
    }
  }
  if (seccomp) {
    return {
      argv: ['-nostdin', '-i', 'tcp://127.0.0.1:9'],
      exit: ffmpegExit.notPermitted,
      failure: 'FFmpeg does not start or opens a socket',
    }
  }
  return { argv: ['-version'], exit: 0, failure: 'FFmpeg does not start' }
}

/** The low byte of FFmpeg's negative error codes: EACCES, EPERM. */
const ffmpegExit = { accessDenied: 243, notPermitted: 255 } as const

async function runBriefly(clock: Clock, sandbox: Sandbox, argv: readonly string[]) {
  let log = ''
  const keep = (chunk: Buffer): void => {
    if (log.length < 16_384) log += chunk.toString('utf8')
  }
  const running = startFenced(
    clock,
    sandbox,
    { program: 'ffmpeg', argv, fileBytes: 0 },
    { onStdout: keep, onStderr: keep },
  )
  const cancel = clock.schedule(longestMs, () => running.signal('SIGKILL'))
  const { code, failure } = await running.ended
  cancel()
  return { code, log: failure === null ? log : failure.message }
}

const longestMs = 10_000
