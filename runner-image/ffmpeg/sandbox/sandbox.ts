import { landlockArguments, landlockLevels } from './landlock-rules.ts'
import type { JobFolders, LandlockLevel } from './landlock-rules.ts'
import type { SandboxMode } from '../../link/messages.ts'

/** A combination of sandbox mechanisms that a kernel may or may not support. */
export interface Fence {
  readonly landlock: LandlockLevel | null
  readonly seccomp: boolean
}

export interface Sandbox {
  readonly fence: Fence
  readonly folders: JobFolders
  /** Paths of `landlock-rules.ts` that are there. */
  readonly existing: ReadonlySet<string>
  /** File that setpriv loads, made by `seccomp.ts`. */
  readonly seccompFilter: string
}

export interface FencedCommand {
  /** setpriv: for the self-test. */
  readonly program: 'ffmpeg' | 'ffprobe' | 'setpriv'
  readonly argv: readonly string[]
  /** Largest file it may write, in bytes; null = no limit. */
  readonly fileBytes: number | null
}

/**
 * The command line that starts FFmpeg in the sandbox: prlimit and setpriv replace themselves by the
 * program they start, so there is one process and no shell.
 */
export function fencedCommand(sandbox: Sandbox, command: FencedCommand): string[] {
  const { fence, folders, existing, seccompFilter } = sandbox
  const work = command.program === 'ffmpeg' ? 'write' : 'read'
  return [
    ...limits(command),
    '/usr/bin/setpriv',
    '--no-new-privs',
    '--pdeathsig',
    'KILL',
    ...(fence.landlock === null
      ? []
      : landlockArguments({ level: fence.landlock, folders, work, existing })),
    ...(fence.seccomp ? ['--seccomp-filter', seccompFilter] : []),
    `/usr/bin/${command.program}`,
    ...command.argv,
  ]
}

/** Not for the self-test: a program that ends at once needs none, and every command waits for it. */
function limits({ program, fileBytes }: FencedCommand): string[] {
  if (program === 'setpriv') return []
  // no limit of the address space: x265 and the AV1 encoders map far more than they use
  const file = fileBytes === null ? [] : [`--fsize=${String(fileBytes)}`]
  return ['/usr/bin/prlimit', '--nofile=4096', '--core=0', ...file]
}

/**
 * FFmpeg's whole environment: FFmpeg can read it (libraries do, even without `/proc/self/environ`),
 * and a variable of ours or of the cluster could change what a library loads.
 */
export function fencedEnvironment(folders: JobFolders): Record<string, string> {
  return {
    PATH: '/usr/bin',
    HOME: folders.temporary,
    XDG_CACHE_HOME: folders.temporary,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  }
}

/** Sandboxes to try, strictest first; the first that passes the self-test is used. */
export function fencesOf(mode: SandboxMode): Fence[] {
  const complete: Fence[] = landlockLevels.map((landlock) => ({ landlock, seccomp: true }))
  switch (mode) {
    case 'required':
      return complete
    case 'preferred':
      return [
        ...complete,
        { landlock: null, seccomp: true },
        ...landlockLevels.map((landlock) => ({ landlock, seccomp: false })),
        openFence,
      ]
    case 'off':
      return [openFence]
  }
}

const openFence: Fence = { landlock: null, seccomp: false }
