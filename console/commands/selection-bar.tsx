import { Button } from '../controls/button.tsx'
import { confirmed } from '../parts/confirm.tsx'
import { attempt } from '../parts/notices.ts'
import { hasEnded } from '../parts/state.ts'
import { href } from '../shell/navigation.ts'
import { actOnEach, counted } from './act-on-each.ts'
import { cancel, runAgain } from './actions.ts'
import { mayCancel } from './cancel/may-cancel.ts'
import type { Signal } from '@preact/signals'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { PageList } from '../lists/page-list.ts'
import type { Row } from './list-rows.ts'

interface Props {
  readonly client: Client
  readonly list: PageList<Row>
  readonly selected: Signal<ReadonlySet<string>>
}

/** Actions on several commands at a time. */
export function SelectionBar({ client, list, selected }: Props) {
  const chosen = list.items.value.filter((row) => selected.value.has(row.peek().command_id))
  if (chosen.length === 0) return null
  const idsOf = (rows: readonly Row[]) => rows.map((row) => row.peek().command_id)
  const ids = idsOf(chosen)
  const only = ids.length === 1 ? (ids[0] ?? null) : null
  const running = chosen.filter((row) => !hasEnded(row.value))
  const unfinished = idsOf(running)
  const withFiles = idsOf(chosen.filter((row) => (row.value.output_file_count ?? 0) > 0))
  /** Those that are refused stay selected. */
  const each = async (
    some: readonly string[],
    done: string,
    act: (id: string) => Promise<unknown>,
  ) => {
    const { refused, text } = await actOnEach(some, done, act)
    selected.value = refused
    if (refused.size > 0) throw new Error(text)
    return text
  }
  const cancelAll = async () => {
    if (!(await mayCancel(running.map((row) => row.peek())))) return
    await attempt(() => each(unfinished, 'cancelled', (id) => cancel(client, id)))
  }
  const again = () =>
    attempt(() =>
      each(ids, 'submitted again', async (id) => runAgain(client, await client.getCommand(id))),
    )
  const remove = async () => {
    const of = counted(withFiles.length)
    const yes = await confirmed({
      title: `Delete the files of ${of}?`,
      text: `All stored outputs of ${of} will be deleted. Their URLs stop working. The records stay.`,
      verb: `Delete the files of ${of}`,
    })
    if (!yes) return
    await attempt(() => each(withFiles, 'without files now', (id) => client.deleteCommandFiles(id)))
  }
  return (
    <div class="selection row" role="toolbar" aria-label="Selected commands">
      <span>{counted(ids.length)} selected</span>
      <Button shortcut="r" onClick={again}>
        Run {ids.length} again
      </Button>
      {only !== null && (
        <a
          class="button"
          data-shortcut="e"
          href={href({ page: 'playground', query: new URLSearchParams({ from: only }) })}
        >
          Edit
        </a>
      )}
      {unfinished.length > 0 && <Button onClick={cancelAll}>Cancel {unfinished.length}</Button>}
      {withFiles.length > 0 && (
        <Button look="bad" onClick={remove}>
          Delete files
        </Button>
      )}
      <Button look="quiet" onClick={() => (selected.value = new Set())}>
        Clear
      </Button>
    </div>
  )
}
