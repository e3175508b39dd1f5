import type { Clock } from '../../../common/runtime/effects.ts'
import type { SandboxMode, SandboxReport } from '../../link/messages.ts'
import { startFenced } from './fenced-process.ts'
import { fencesOf } from './sandbox.ts'
import type { Fence, FencedCommand, Sandbox } from './sandbox.ts'

export interface SelfTest {
  readonly report: SandboxReport
  /** null if no fence that the mode accepts works here. */
  readonly sandbox: Sandbox | null
}

export interface SelfTestDeps {
  readonly clock: Clock
  readonly sandbox: Omit<Sandbox, 'fence'>
  /** A file that this process can read and FFmpeg must not. */
  readonly outsideFile: string
}

/**
 * Finds the strictest sandbox that holds here: a program started in it must fail to read outside
 * it.
 */
export async function selfTest(deps: SelfTestDeps, mode: SandboxMode): Promise<SelfTest> {
  const problems: string[] = []
  for (const fence of fencesOf(mode)) {
    const sandbox = { ...deps.sandbox, fence }
    const problem = await tryFence(deps, sandbox)
    if (problem === null) return { report: report(mode, fence, problems[0] ?? null), sandbox }
    problems.push(problem)
  }
  return { report: report(mode, null, problems[0] ?? 'no fence to try'), sandbox: null }
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

async function tryFence(
  { clock, outsideFile }: SelfTestDeps,
  sandbox: Sandbox,
): Promise<string | null> {
  const { command, exit, says, failure } = readOutside(sandbox.fence, outsideFile)
  const { code, log } = await runBriefly(clock, sandbox, command)
  if (code === exit && log.includes(says)) return null
  const last = log.trimEnd().split('\n').at(-1) ?? ''
  const codes = `exit ${String(code)} instead of ${String(exit)}`
  return `${failure}: ${codes}: ${last.slice(0, 300)}`
}

/**
 * With Landlock a second setpriv does the read, of a file that it would load as a filter: it starts
 * within milliseconds, while one start of FFmpeg costs as much as a short command, and every
 * command waits for this. The start proves the seccomp filter too: the first setpriv ends with an
 * error if it cannot load it.
 */
function readOutside({ landlock, seccomp }: Fence, outsideFile: string) {
  if (landlock !== null) {
    return {
      command: {
        program: 'setpriv',
        argv: ['--no-new-privs', '--seccomp-filter', outsideFile, '/usr/bin/setpriv'],
      },
      exit: setprivFailed,
      says: `cannot open ${outsideFile}: Permission denied`,
      failure: 'a program behind the fence does not start or reads a file outside',
    } as const
  }
  if (seccomp) {
    return {
      command: { program: 'ffmpeg', argv: ['-nostdin', '-i', 'tcp://127.0.0.1:9'] },
      exit: ffmpegNotPermitted,
      says: '',
      failure: 'FFmpeg does not start or opens a socket',
    } as const
  }
  return {
    command: { program: 'ffmpeg', argv: ['-version'] },
    exit: 0,
    says: '',
    failure: 'FFmpeg does not start',
  } as const
}

/** Exit code of util-linux: setpriv could not set the privileges. */
const setprivFailed = 127

/** The low byte of FFmpeg's negative error code: EPERM. */
const ffmpegNotPermitted = 255

async function runBriefly(
  clock: Clock,
  sandbox: Sandbox,
  command: Pick<FencedCommand, 'program' | 'argv'>,
) {
  let log = ''
  const keep = (chunk: Buffer): void => {
    if (log.length < 16_384) log += chunk.toString('utf8')
  }
  const running = startFenced(
    clock,
    sandbox,
    { ...command, fileBytes: 0 },
    { onStdout: keep, onStderr: keep },
  )
  const cancel = clock.schedule(longestMs, () => running.signal('SIGKILL'))
  const { code, failure } = await running.ended
  cancel()
  return { code, log: failure === null ? log : failure.message }
}

const longestMs = 10_000
