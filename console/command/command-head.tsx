import { useSignal } from '@preact/signals'
import { Button } from '../controls/button.tsx'
import { cancel, runAgain } from '../commands/actions.ts'
import { mayCancel } from '../commands/cancel/may-cancel.ts'
import { metadataWords } from '../commands/row-words.ts'
import { confirmed } from '../parts/confirm.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../controls/icons.tsx'
import { attempt } from '../parts/notices.ts'
import { hasEnded, shortId } from '../parts/state.ts'
import { ProgressBar, StateChip } from '../parts/state-chip.tsx'
import { timeLeft } from '../shell/follow-progress.ts'
import { go, href } from '../shell/navigation.ts'
import { CopyMenu } from './copy-menu.tsx'
import { deletionOf, percentWords } from './head-words.ts'
import { outputNameOf } from './output-name.ts'
import { firstAction, isFixable } from './remedies.ts'
import { TellWhenEnded } from './tell-when-ended.tsx'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

interface Props {
  readonly client: Client
  readonly record: CommandStatusRecord
  readonly read: () => Promise<void>
}

/** Actions on a command, one at a time. */
function useActions({ client, record, read }: Props) {
  const isBusy = useSignal(false)
  const act = (action: () => Promise<string>) => async () => {
    isBusy.value = true
    await attempt(action)
    isBusy.value = false
  }
  return {
    isBusy: isBusy.value,
    again: act(async () => {
      go({ page: 'commands', id: await runAgain(client, record) })
      return 'The same request was submitted again.'
    }),
    stop: act(async () => {
      if (!(await mayCancel([record]))) return 'Nothing was cancelled.'
      await cancel(client, record.command_id)
      await read()
      return 'Cancelled.'
    }),
    remove: act(async () => {
      const { count, files, text } = deletionOf(record)
      const verb = `Delete ${files}`
      const yes = await confirmed({ title: `${verb}?`, text, verb })
      if (yes) await client.deleteCommandFiles(record.command_id)
      await read()
      return yes ? `${count} deleted.` : 'Nothing was deleted.'
    }),
  }
}

export function CommandHead(props: Props) {
  const { record } = props
  const { isBusy, again, stop, remove } = useActions(props)
  const id = record.command_id
  return (
    <header class="command-head row">
      <a class="back" href={href({ page: 'commands' })}>
        <Icon name="back" />
        Commands
      </a>
      <h1>
        <span aria-live="polite">
          <StateChip of={{ ...record, progress_percent: null }} />
        </span>
        <span class="number">{percentWords(record)}</span>
      </h1>
      <span class="muted">{hasEnded(record) ? '' : timeLeft(id)}</span>
      <span class="id mono" title={id}>
        {shortId(id)}
        <CopyButton text={id} what="id" />
      </span>
      <span class="muted">{metadataWords(record)}</span>
      <div class="actions">
        {!hasEnded(record) && (
          <>
            <TellWhenEnded id={id} name={outputNameOf(record)} />
            <Button isOff={isBusy} onClick={stop}>
              Cancel
            </Button>
          </>
        )}
        <Button
          look={firstAction(record) === 'again' ? 'primary' : undefined}
          isOff={isBusy || record.original_request === null}
          shortcut="r"
          onClick={again}
        >
          Run again
        </Button>
        {record.original_request !== null && !isFixable(record) && (
          <a
            class="button"
            data-shortcut="e"
            href={href({ page: 'playground', query: new URLSearchParams({ from: id }) })}
          >
            Edit
          </a>
        )}
        {record.original_request !== null && <CopyMenu request={record.original_request} />}
        {deletionOf(record).count > 0 && (
          <Button isOff={isBusy} onClick={remove}>
            Delete files
          </Button>
        )}
      </div>
      <ProgressBar of={record} label="Progress" />
    </header>
  )
}
