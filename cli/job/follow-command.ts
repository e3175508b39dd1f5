import type { Client } from '../client/client.ts'
import type {
  CommandStatus,
  CommandStatusRecord,
  ProcessingStage,
} from '../../common/openapi/openapi-types.ts'
import { createTimesLeft } from '../client/time-left.ts'
import { placeOf } from '../existing/place-of.ts'
import { createWrittenSoFar } from './written-so-far.ts'
import type { Shell } from '../terminal/shell.ts'

/**
 * Shows the command's progress until it has ended. Ctrl-C cancels it and waits for its end: a command
 * that continues unnoticed would use vCPUs and quota.
 */
export async function followCommand(
  client: Client,
  { progress, signal, clock }: Pick<Shell, 'progress' | 'signal' | 'clock'>,
  commandId: string,
): Promise<CommandStatusRecord> {
  const times = createTimesLeft()
  const written = createWrittenSoFar(client, { signal, clock })
  const onPoll = (record: CommandStatusRecord): void => {
    const { processing_stage, progress_percent } = record
    const percent = processing_stage === 'FFMPEG_PROCESSING' ? progress_percent : null
    times.note(commandId, percent, clock.monotonicMs())
    progress.show(stepOf(record), detailOf(record, times.words(commandId) ?? written.words(record)))
  }
  try {
    return await client.waitFor(commandId, { signal, onPoll })
  } catch (error) {
    if (!signal.aborted) throw error
    progress.say(`cancelling ${commandId}`)
    // The command may end by itself at the same moment; its record then says so.
    await client.cancelCommand(commandId).catch(finishedAlready)
    return client.waitFor(commandId, { pollMs: 500, onPoll })
  }
}

function finishedAlready(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && error.status === 409)) throw error
}

function stepOf(record: CommandStatusRecord): string {
  const { status, processing_stage, attempts } = record
  const again = attempts > 1 ? ` (attempt ${attempts})` : ''
  // The stage DOWNLOADING comes before FFmpeg also where there is nothing to fetch.
  const isStarting =
    processing_stage === null || (processing_stage === 'DOWNLOADING' && !hasInputs(record))
  const step = isStarting ? statuses[status] : stages[processing_stage]
  return `${step}${again}`
}

function hasInputs({ original_request: request }: CommandStatusRecord): boolean {
  if (request === null) return true
  const isFolder = 'input_compressed_folder' in request && request.input_compressed_folder !== null
  return isFolder || Object.keys(request.input_files ?? {}).length > 0
}

/** The work of the service in other words than `uploading` and `downloading`, which this tool does. */
const stages: Readonly<Record<ProcessingStage, string>> = {
  DOWNLOADING: 'the service fetches the inputs',
  PREPARING_INPUT_FILES: 'the service prepares the inputs',
  FFMPEG_PROCESSING: 'FFmpeg runs',
  UPLOADING: 'the service stores the outputs',
}

const statuses: Readonly<Record<CommandStatus, string>> = {
  QUEUED: 'queued',
  PROCESSING: 'a runner starts',
  PREPARED_FFMPEG_COMMAND: 'a runner starts',
  SUCCESS: 'done',
  FAILED: 'failed',
}

function detailOf(record: CommandStatusRecord, figures: string | null): string {
  const { progress_percent, vcpu_count } = record
  const place = placeOf(record)
  if (place !== '') return `for ${vcpu_count} vCPUs, ${place}`
  const percent = progress_percent === null ? [] : [`${Math.floor(progress_percent)} %`]
  return [...percent, ...(figures === null ? [] : [figures])].join(', ')
}

const lines = 20

/** The last lines of FFmpeg's log. Best-effort: an error here must not hide why the command failed. */
export async function logTail(client: Client, commandId: string): Promise<string> {
  const text = await client.getCommandLogs(commandId).catch(() => '')
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}
