import type { Client, CommandStatusRecord } from '../../cli/client/client.ts'
import type { Say } from '../../local-cluster/host/progress.ts'

interface Options {
  readonly client: Client
  readonly commandId: string
  readonly say: Say
}

/** Polls until the end and prints every change of status, stage and percent. */
export async function follow({ client, commandId, say }: Options): Promise<CommandStatusRecord> {
  let shown = ''
  return client.waitFor(commandId, {
    pollMs: 250,
    onPoll(record) {
      const line = progressLine(record)
      if (line === shown) return
      shown = line
      say(`  ${line}`)
    },
  })
}

export function progressLine(record: CommandStatusRecord): string {
  const percent =
    record.progress_percent === null ? '' : ` ${Math.floor(record.progress_percent)} %`
  const stage = record.processing_stage === null ? '' : ` / ${record.processing_stage}`
  const error =
    record.error_message === null ? '' : `: ${record.error_status} ${record.error_message}`
  return `${record.status}${stage}${percent}${error}`
}
