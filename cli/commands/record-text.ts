import { firstLine } from '../existing/command-words.ts'
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
  return [wordsOf(head), ...stepLines(record), ...error, ...outputs].join('\n')
}

const longestCommand = 80

/** A line for each command of a chain, with the number that `logs --step` takes. */
function stepLines({ steps, original_request: request }: CommandStatusRecord): string[] {
  if (steps.length < 2) return []
  const commands = request !== null && 'ffmpeg_commands' in request ? request.ffmpeg_commands : []
  return steps.map((step) => {
    const { index, status, progress_percent: done, ffmpeg_command_run_seconds: seconds } = step
    const figures = [
      status === 'PROCESSING' && done !== null ? `${Math.floor(done)} %` : '',
      seconds === null ? '' : `${seconds.toFixed(1)} s`,
      step.exit_code === null || step.exit_code === 0 ? '' : `exit code ${step.exit_code}`,
    ]
    const state = wordsOf([status, ...figures])
    return wordsOf([
      `step ${index}`,
      state.padEnd(18),
      firstLine(commands[index] ?? '', longestCommand),
    ])
  })
}

function wordsOf(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .trimEnd()
}
