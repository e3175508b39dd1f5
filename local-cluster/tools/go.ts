import { mkdir } from 'node:fs/promises'
import { cpus } from 'node:os'
import path from 'node:path'
import { NoCluster } from '../host/types.ts'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { cached } from './cached.ts'
import { ensureGo, findGo } from './go-program.ts'
import type { Say } from '../host/progress.ts'

export interface GoOptions {
  readonly cwd: string
  /** Name for people of the program that needs Go. */
  readonly what: string
  readonly onLine?: (line: string) => void
  readonly env?: Readonly<Record<string, string>>
  /** Takes what processor time others leave. */
  readonly inBackground?: boolean
}

/**
 * Runs the Go tool for a static binary and answers what it wrote to stdout.
 *
 * @throws NoCluster where there is no Go.
 */
export async function runGo(
  args: readonly string[],
  { cwd, what, onLine, env, inBackground = false }: GoOptions,
): Promise<string> {
  const go = await findGo()
  if (go === undefined) throw new NoCluster(`${what} needs Go 1.21 or newer to be built once`)
  const [command, ...given] = [...(inBackground ? ['nice'] : []), go, ...args]
  return runCommand(command ?? go, given, {
    cwd,
    env: {
      CGO_ENABLED: '0',
      // a user's own GOFLAGS (-mod=vendor, say) or workspace would break a build that is not theirs
      GOFLAGS: '-buildvcs=false',
      GOWORK: 'off',
      // Go of distributions says local, and is often older than the modules ask for
      GOTOOLCHAIN: process.env['GOTOOLCHAIN'] ?? 'auto',
      ...env,
    },
    ...(onLine === undefined ? {} : { onLine }),
  })
}

/**
 * Builds a command for tests and the first try, where it counts how long the build takes: without inlining and debug
 * information it takes 40 % less processor time (measured), and what is lost in speed is not what these programs wait for.
 */
export async function buildQuickly(
  options: GoOptions & {
    readonly output: string
    /** Package or file, by default the folder's own package. */
    readonly target?: string
    readonly ldflags?: string
    /** Further flags of `go build`. */
    readonly flags?: readonly string[]
  },
): Promise<void> {
  const { output, target = '.', ldflags = '-s -w', flags = [], ...rest } = options
  const args = [
    // One more at a time than there are processors: some wait for the disk, and some for each other.
    'build',
    '-trimpath',
    '-gcflags=all=-dwarf=false -l',
    '-p',
    String(cpus().length + 1),
    ...flags,
    '-ldflags',
    ldflags,
    '-o',
    output,
    target,
  ]
  // Compilers are short processes: few ever reach the limit, and the others collect garbage for nothing.
  await runGo(args, { ...rest, env: { GOGC: 'off', GOMEMLIMIT: '1GiB', ...rest.env } })
}

export interface GoTool {
  readonly name: string
  /** Package of the command. */
  readonly packagePath: string
  readonly version: string
  readonly usually: string
  readonly settings: ClusterSettings
  readonly say: Say
}

/** Answers the path of a command built by `go install PACKAGE@VERSION`, from the cache if it was built before. */
export async function goTool(tool: GoTool): Promise<string> {
  const { name, packagePath, version, usually, settings, say } = tool
  const what = `building ${name} ${version} from its Go module`
  const key = `${name}-${version}-${process.platform}-${process.arch}`
  const folder = await cached({ key, what, usually, settings, say }, async (partial, onLine) => {
    await ensureGo(say)
    await mkdir(partial, { recursive: true })
    const args = ['install', '-trimpath', '-ldflags', '-s -w', `${packagePath}@${version}`]
    await runGo(args, { cwd: partial, what: name, onLine, env: { GOBIN: partial } })
  })
  return path.join(folder, name)
}
