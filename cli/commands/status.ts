import { exactly, parsed } from '../parse.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'
import type { Shell } from '../shell.ts'

/** The command's record. 1: it failed. */
export async function status(args: string[], shell: Shell): Promise<number> {
  const { values, positionals } = parsed(args, { json: { type: 'boolean' } })
  const { COMMAND_ID: id } = exactly(positionals, 'COMMAND_ID')
  const record = await shell.client().getCommand(id, {}, { signal: shell.signal })
  shell.print(values.json ? JSON.stringify(record, null, 2) : summary(record))
  return record.status === 'FAILED' ? 1 : 0
}

export function summary(record: CommandStatusRecord): string {
  const { progress_percent: done, queue_position: place } = record
  const head = [
    record.status,
    record.processing_stage ?? '',
    done === null ? '' : `${Math.floor(done)} %`,
    place === null ? '' : `number ${place} in line`,
  ]
  const error =
    record.error_status === null ? [] : [`${record.error_status}: ${record.error_message}`]
  const outputs = Object.entries(record.output_files ?? {}).map(
    ([alias, file]) => `${alias} ${file.storage_url ?? '(deleted)'}`,
  )
  return [head.filter((part) => part !== '').join(' '), ...error, ...outputs].join('\n')
}
