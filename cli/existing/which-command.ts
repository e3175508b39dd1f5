import { UsageError } from '../terminal/usage-error.ts'
import type { Shell } from '../terminal/shell.ts'

/** Options of every call that takes the id of a command. */
export const whichOptions = { '--last': 'the newest command of the account' } as const

const wholeId = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const idPart = /^[0-9a-f-]{4,35}$/i
/** Number of newest commands that a partial id is matched against. */
const searched = 200

/**
 * An id that the service would take.
 * @param list the command line that prints ids of its kind
 * @throws UsageError
 */
export function wholeIdIn(name: string, given: string, list: string): string {
  if (wholeId.test(given)) return given
  throw new UsageError(`'${given}' is not a ${name}: '${list}' prints them`)
}

/**
 * The command that is meant: by its id, by the end or the beginning of the id of one of the newest, or by
 * `--last`.
 * @throws UsageError if none or several fit
 */
export async function whichCommand(
  shell: Shell,
  given: string | undefined,
  last: boolean,
): Promise<string> {
  if ((given === undefined) !== last) {
    const found = given === undefined ? 'nothing' : `${given} --last`
    throw new UsageError(`expected COMMAND_ID or --last, found ${found}`)
  }
  const { signal } = shell
  if (given === undefined) {
    const [newest] = await shell.client().listCommands({ limit: 1 }, { signal })
    if (newest === undefined) throw new UsageError('--last: the account has no command yet')
    return newest.command_id
  }
  if (wholeId.test(given)) return given
  if (!idPart.test(given)) {
    throw new UsageError(
      `'${given}' is not the id of a command: give an id, at least 4 of its first or last characters, or --last; 'cloud-ffmpeg list' prints ids`,
    )
  }
  const part = given.toLowerCase()
  const newest = await shell.client().listCommands({ limit: searched }, { signal })
  const fitting = newest
    .map(({ command_id }) => command_id)
    .filter((id) => id.endsWith(part) || id.startsWith(part))
  const [only, second] = fitting
  if (only === undefined) {
    throw new UsageError(`none of the newest ${searched} commands has '${given}' in its id`)
  }
  if (second !== undefined) {
    throw new UsageError(
      `'${given}' is part of ${fitting.length} ids, among them ${only} and ${second}`,
    )
  }
  return only
}
