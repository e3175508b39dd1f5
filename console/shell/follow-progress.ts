import { browserEffects } from '../../cli/client/browser-effects.ts'
import { createTimesLeft } from '../../cli/client/time-left.ts'
import { onEvents } from './live.ts'
import type { CommandListItem } from '../../common/openapi/openapi-types.ts'

type Progress = Pick<CommandListItem, 'command_id' | 'status' | 'progress_percent'>

/** A read ends within seconds; a page that is open for days must not keep each command. */
const mostKnown = 10_000

/** Estimates from the events of commands, and from records for what was before the connection. */
export function createProgressNotes(nowMs: () => number) {
  const left = createTimesLeft()
  /** Commands of which an event or a record was noted: a record that arrives later may be older. */
  const known = new Set<string>()
  return {
    noteEvents: (commands: readonly Progress[]): void => commands.forEach(note),
    noteRecords(commands: readonly Progress[]): void {
      const running = commands.filter(({ status }) => status === 'PROCESSING')
      running.filter(({ command_id: id }) => !known.has(id)).forEach(note)
    },
    words: (id: string): string | null => left.words(id),
  }

  function note({ command_id: id, status, progress_percent: percent = null }: Progress): void {
    known.delete(id)
    known.add(id)
    const [oldest] = known
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    left.note(id, status === 'PROCESSING' ? percent : null, nowMs())
  }
}

const notes = createProgressNotes(() => browserEffects.clock.monotonicMs())

/** Notes the percents of all commands while the console is open. @returns a function that ends it */
export function followProgress(): () => void {
  return onEvents(notes.noteEvents)
}

/** Notes the percents of records that were read, where no event has said more. */
export function noteRecords(commands: readonly Progress[]): void {
  notes.noteRecords(commands)
}

/** "about 40 s left"; empty where nothing can be said. */
export function timeLeft(id: string): string {
  return notes.words(id) ?? ''
}
