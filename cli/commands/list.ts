import { failures } from '../../common/domain/failures.ts'
import { ageOf } from '../existing/age.ts'
import { fileWords } from '../existing/file-words.ts'
import { placeOf } from '../existing/place-of.ts'
import { pairs } from '../job/aliases.ts'
import { watchList } from '../existing/watch-list.ts'
import { cliCommand } from '../terminal/cli-command.ts'
import { listLimit, UsageError } from '../terminal/usage-error.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../terminal/shell.ts'

/** Words for states of the API. */
const states: Readonly<Record<string, string>> = {
  queued: 'QUEUED',
  running: 'PROCESSING,PREPARED_FFMPEG_COMMAND',
  failed: 'FAILED',
  cancelled: 'FAILED',
  done: 'SUCCESS',
}

/** The kinds of failures that one of these words alone means. */
const errorsOf: Readonly<Record<string, string>> = {
  failed: Object.keys(failures)
    .filter((kind) => kind !== 'CANCELLED')
    .join(','),
  cancelled: 'CANCELLED',
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** The service takes 31 days until its own time, of which ours may differ. */
const metadataSince = '30d'

export const list = cliCommand({
  summary: 'the newest commands',
  about:
    'Prints the newest commands of the account: ids, states, ages, files, and the command, its place in line or its error.',
  example: 'list --status failed --since 2h',
  options: {
    '--status <STATUS>': 'queued, running, failed, cancelled or done; several with commas',
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
    const states = values.status === undefined ? {} : statesFrom(values.status)
    const since = values.since ?? (metadata.size > 0 ? metadataSince : undefined)
    const first = since === undefined ? {} : { created_after: timeFrom(since, shell.clock.wall()) }
    const query = {
      limit: listLimit(values.limit),
      expand: values.json ? 'progress,request' : 'progress,request,names',
      ...states,
      ...first,
      ...(metadata.size === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    }
    const read = () => shell.client().listCommands(query, { signal: shell.signal })
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

function statesFrom(text: string): { readonly status: string; readonly error_status?: string } {
  const given = text.toLowerCase().split(',')
  const words = given.map((word) => states[word])
  const errors = errorsOf[given.join()]
  if (words.every((word) => word !== undefined)) {
    const status = words.join(',')
    return errors === undefined ? { status } : { status, error_status: errors }
  }
  throw new UsageError(`--status takes ${Object.keys(states).join(', ')}, not '${text}'`)
}

function timeFrom(text: string, now: Date): string {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const seconds = secondsOf[unit]
  if (count === undefined || seconds === undefined) {
    throw new UsageError(`--since takes a time such as 30m, 2h or 7d, not '${text}'`)
  }
  return new Date(now.getTime() - 1_000 * seconds * Number(count)).toISOString()
}

/** Id, state, age, files, and the command or the error. */
function lineOf(item: CommandListItem, now: Date): string {
  const { command_id, status, error_status, error_message, ffmpeg_command } = item
  const error = error_status === null ? null : `${error_status}: ${error_message}`
  const place = placeOf({ ...item, queue_position: item.queue_position ?? null })
  const text = error ?? (place === '' ? (ffmpeg_command ?? '') : place)
  const done = status === 'PROCESSING' ? (item.progress_percent ?? null) : null
  const word = error_status === 'CANCELLED' ? error_status : status
  const state = [word, ...(done === null ? [] : [`${bar(done)} ${Math.floor(done)} %`])].join(' ')
  const files = shortened(fileWords(item), filesLength)
  return columns(command_id, state, ageOf(item.created_at, now), files, firstLine(text))
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

function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return shortened(line, longestText)
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
