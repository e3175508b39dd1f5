import { ageOf } from '../existing/age.ts'
import { commandWords, firstLine, shortened } from '../existing/command-words.ts'
import { fileWords } from '../existing/file-words.ts'
import { placeOf } from '../existing/place-of.ts'
import { pairs } from '../job/aliases.ts'
import { newestOf, stateFilters } from '../existing/state-filters.ts'
import { watchList } from '../existing/watch-list.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { listLimit, spanSeconds, UsageError } from '../terminal/usage-error.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** The service takes 31 days until its own time, of which ours may differ. */
const metadataSince = '30d'

export const list = cliCommand({
  summary: 'the newest commands',
  about:
    'Prints the newest commands of the account: ids, states, ages, files, and the command, its place in line or its error.',
  example: 'list --status failed --since 2h',
  options: {
    '--status <STATUS>':
      'queued, running, failed, cancelled or done; several with commas; failed leaves cancelled ones out',
    '--since <TIME>': 'submitted in the last 30m, 2h, 7d',
    '--metadata <KEY=VALUE>': {
      text: 'with this metadata, within 30 days; up to three',
      repeated: true,
    },
    '--watch': 'show every change, until Ctrl-C',
    '--limit <NUMBER>': { text: 'the number of commands', default: '20' },
    '--json': "print the service's whole answer",
  },
  async run(values, shell) {
    if (values.watch && values.json) throw new UsageError('--watch prints lines: leave --json out')
    const metadata = pairs('metadata', values.metadata, 'order=17')
    const filters = values.status === undefined ? [{}] : stateFilters(values.status)
    const since = values.since ?? (metadata.size > 0 ? metadataSince : undefined)
    const first = since === undefined ? {} : { created_after: timeFrom(since, shell.clock.wall()) }
    const limit = listLimit(values.limit)
    const query = {
      limit,
      expand: values.json ? 'progress,request' : 'progress,request,names',
      ...first,
      ...(metadata.size === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    }
    const client = shell.client()
    const readOne = (filter: object) =>
      client.listCommands({ ...query, ...filter }, { signal: shell.signal })
    const read = async () => newestOf(await Promise.all(filters.map(readOne)), limit)
    if (values.watch) return watchList(shell, read, lineOf)
    const found = await read()
    if (values.json) shell.print(JSON.stringify(found, null, 2))
    else printList(shell, found)
    return 0
  },
})

function printList(shell: Shell, items: readonly CommandListItem[]): void {
  const isTerminal = shell.redraw !== null
  if (isTerminal && items.length > 0) shell.print(columns('ID', 'STATE', 'AGE', 'FILES', 'COMMAND'))
  for (const item of items) shell.print(lineOf(item, shell.clock.wall()))
}

function timeFrom(text: string, now: Date): string {
  return new Date(now.getTime() - 1_000 * spanSeconds('since', text)).toISOString()
}

/** Id, state, age, files, and the command or the error. */
function lineOf(item: CommandListItem, now: Date): string {
  const { command_id, status, error_status, error_message } = item
  const error = error_status === null ? null : `${error_status}: ${error_message}`
  const place = placeOf({ ...item, queue_position: item.queue_position ?? null })
  const text = error ?? (place === '' ? commandWords(item) : place)
  const done = status === 'PROCESSING' ? (item.progress_percent ?? null) : null
  const word = error_status === 'CANCELLED' ? error_status : status
  const state = [word, ...(done === null ? [] : [`${bar(done)} ${Math.floor(done)} %`])].join(' ')
  const files = shortened(fileWords(item), filesLength)
  return columns(
    command_id,
    state,
    ageOf(item.created_at, now),
    files,
    firstLine(text, longestText),
  )
}

function columns(id: string, state: string, age: string, files: string, text: string): string {
  const cells = [id.padEnd(36), state.padEnd(24), age.padStart(6), files.padEnd(filesLength), text]
  return cells.join('  ').trimEnd()
}

function bar(percent: number): string {
  const full = Math.round((percent / 100) * barLength)
  return '▓'.repeat(full) + '░'.repeat(barLength - full)
}

const barLength = 8

const filesLength = 32

const longestText = 100
