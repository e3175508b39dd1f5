import { rootPrefix } from './root-prefix.ts'
import { runCommand } from './run-command.ts'
import { NoCluster } from './types.ts'

/** Another apt may be at work: apt waits for its lock instead of failing. */
const options = ['-o', 'DPkg::Lock::Timeout=300']

/**
 * Runs apt-get as root.
 *
 * @throws NoCluster where this user may not become root.
 */
export async function aptGet(
  args: readonly string[],
  onLine: (line: string) => void,
): Promise<void> {
  // sudo passes no variables on.
  const apt = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...options, ...args]
  await asRoot(apt, { onLine, what: `apt-get ${args.join(' ')}` })
}

/** One more source of packages, in a file of its own. */
export async function addAptSource(name: string, line: string): Promise<void> {
  const file = `/etc/apt/sources.list.d/${name}.list`
  await asRoot(['tee', file], { input: `${line}\n`, what: `writing ${file}` })
}

async function asRoot(
  command: readonly string[],
  { what, ...how }: { what: string; input?: string; onLine?: (line: string) => void },
): Promise<void> {
  const prefix = await rootPrefix()
  if (prefix === null) throw new NoCluster(`this needs root, and sudo is not to be had: ${what}`)
  const [program = 'env', ...args] = [...prefix, ...command]
  await runCommand(program, args, how)
}
