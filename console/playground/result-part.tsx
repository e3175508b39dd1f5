import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../controls/button.tsx'
import { useStore } from '../controls/page-hooks.ts'
import { createCommand } from '../command/command-store.ts'
import { ErrorCard, WarningsCard } from '../command/error-card.tsx'
import { outputsOf } from '../command/output-name.ts'
import { OutputActions } from '../files/output-actions.tsx'
import { FileCard } from '../preview/file-card.tsx'
import { plainText } from '../log/log-lines.ts'
import { createLog } from '../log/log-store.ts'
import { sizeChange } from '../draft/input-files.ts'
import { cancel } from '../commands/actions.ts'
import { mayCancel } from '../commands/cancel/may-cancel.ts'
import { attempt, reasonOf } from '../parts/notices.ts'
import { now } from '../parts/now.ts'
import { duration, secondsBetween } from '../parts/relative-time.ts'
import { hasEnded, waitingWords } from '../parts/state.ts'
import { ProgressBar, StateChip } from '../parts/state-chip.tsx'
import { timeLeft } from '../shell/follow-progress.ts'
import { href } from '../shell/navigation.ts'
import { usage } from '../shell/service.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  readonly id: string
  /** MB of the inputs; null where they are not known. */
  readonly inputMbytes: number | null
  /** Called once with the record of a command that has failed. */
  readonly failed: (record: CommandStatusRecord) => void
}

const tailLines = 6

/** The command that was run from here, until it has ended, and what it made. */
export function ResultPart({ client, id, inputMbytes, failed }: Props) {
  const command = useStore(() => createCommand(client, id), [client, id])
  const log = useStore(() => createLog(client, id), [client, id])
  const isBusy = useSignal(false)
  const record = command.record.value
  const hasFailed = record?.status === 'FAILED'
  useEffect(() => {
    if (record !== null && hasFailed) failed(record)
  }, [hasFailed])
  if (record === null) {
    return (
      <p class="note">
        {command.problem.value === null ? 'Reading the command' : reasonOf(command.problem.value)}
      </p>
    )
  }
  const stop = async () => {
    isBusy.value = true
    await attempt(async () => {
      if (!(await mayCancel([record]))) return 'Nothing was cancelled.'
      await cancel(client, id)
      await command.read()
      return 'Cancelled.'
    })
    isBusy.value = false
  }
  const outputs = outputsOf(record)
  return (
    <>
      <div class="row">
        <span aria-live="polite">
          <StateChip of={record} />
        </span>
        <span class="muted number">{timeWords(record)}</span>
        <span class="space" />
        {!hasEnded(record) && (
          <Button isSmall isOff={isBusy.value} onClick={stop}>
            Cancel
          </Button>
        )}
        <a class="button small" href={href({ page: 'commands', id })}>
          Details
        </a>
      </div>
      <ProgressBar of={record} label="Progress" />
      {record.status === 'QUEUED' && <p class="muted">{waiting(record)}.</p>}
      <ErrorCard record={record} />
      <WarningsCard record={record} />
      {outputs.length > 0 && (
        <div class="files column">
          {outputs.map((output) => (
            <div key={output.alias} class="column dense">
              <FileCard client={client} output={output} read={command.read}>
                <OutputActions client={client} file={output.file} read={command.read} />
              </FileCard>
              <p class="muted">{sizeChange(output.file.size_mbytes, inputMbytes)}</p>
            </div>
          ))}
        </div>
      )}
      {record.status !== 'SUCCESS' && log.lines.value.length > 0 && (
        <pre class="mono code tail" tabIndex={0} aria-label="Last lines of FFmpeg's log">
          {plainText(log.lines.value.slice(-tailLines))}
        </pre>
      )}
    </>
  )
}

/** Time since the start, and about how much is left. */
function timeWords(record: CommandStatusRecord): string {
  const { command_id: id, started_at: from, finished_at: to } = record
  if (from === null) return ''
  const parts = [duration(secondsBetween(from, to ?? now.value)), to === null ? timeLeft(id) : '']
  return parts.filter((words) => words !== '').join(' · ')
}

function waiting(record: CommandStatusRecord): string {
  const { vcpu } = usage.value ?? {}
  return waitingWords(record.queue_reason, {
    vcpus: record.vcpu_count,
    inUse: vcpu?.in_use ?? null,
    limit: vcpu?.limit ?? null,
    message: record.queue_message,
  })
}
