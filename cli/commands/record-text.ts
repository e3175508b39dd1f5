import { placeOf } from '../existing/place-of.ts'
import { failureText } from '../job/say-failure.ts'
import type { CommandStatusRecord } from '../../common/openapi/openapi-types.ts'

/** State, cause of a failure and outputs of a command, a line each. */
export function recordText(record: CommandStatusRecord): string {
  const { progress_percent: done } = record
  const head = [
    record.status,
    record.processing_stage ?? '',
    done === null ? '' : `${Math.floor(done)} %`,
    placeOf(record),
  ]
  const error = record.error_status === null ? [] : [failureText(record)]
  const outputs = Object.entries(record.output_files ?? {}).map(
    ([alias, file]) => `${alias} ${file.storage_url ?? '(deleted)'}`,
  )
  return [head.filter((part) => part !== '').join(' '), ...error, ...outputs].join('\n')
}
