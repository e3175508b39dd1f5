import { attempt } from '../parts/notices.tsx'
import { hasEnded } from '../parts/state.ts'
import { cancel, runAgain } from './actions.ts'
import type { Signal } from '@preact/signals'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { CommandList } from './command-list.ts'

interface Props {
  readonly client: Client
  readonly list: CommandList
  readonly selected: Signal<ReadonlySet<string>>
}

/** What can be done with several commands at a time. */
export function SelectionBar({ client, list, selected }: Props) {
  const chosen = list.rows.value.filter((row) => selected.value.has(row.peek().command_id))
  if (chosen.length === 0) return null
  const ids = chosen.map((row) => row.peek().command_id)
  const unfinished = chosen
    .filter((row) => !hasEnded(row.value))
    .map((row) => row.peek().command_id)
  const done = (text: string) => {
    selected.value = new Set()
    return text
  }
  const cancelAll = () =>
    attempt(async () => {
      await Promise.all(unfinished.map((id) => cancel(client, id)))
      return done(`${counted(unfinished.length)} cancelled.`)
    })
  const again = () =>
    attempt(async () => {
      for (const id of ids) await runAgain(client, await client.getCommand(id))
      return done(`${counted(ids.length)} submitted again.`)
    })
  return (
    <div class="selection" role="toolbar" aria-label="Selected commands">
      <span>{counted(ids.length)} selected</span>
      <button type="button" class="button" onClick={() => void again()}>
        Run {ids.length} again
      </button>
      {unfinished.length > 0 && (
        <button type="button" class="button" onClick={() => void cancelAll()}>
          Cancel {unfinished.length}
        </button>
      )}
      <button type="button" class="button quiet" onClick={() => (selected.value = new Set())}>
        Clear
      </button>
    </div>
  )
}

function counted(count: number): string {
  return count === 1 ? '1 command' : `${count} commands`
}
