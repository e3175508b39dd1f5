import { fileRecord } from '../../files/file-record.ts'
import { mbytes, secondsBetween, timestamp, timestampOrNull } from '../../http/format.ts'
import { pauseOf } from './pause-of.ts'
import { isFinal } from '../../../common/domain/states.ts'
import type { Step } from '../../../common/gateway/messages.ts'
import type { CommandRecord, CommandSummary } from '../../../common/store/commands.ts'
import type { Pause } from '../../../common/store/administration/pauses.ts'
import type { StoredFile } from '../../../common/store/files.ts'
import type {
  CommandListItem,
  CommandStatusRecord,
  FileRecord,
  OriginalRequest,
} from '../../../common/openapi/openapi-types.ts'
import type { UrlOf } from '../../files/file-record.ts'

/**
 * All keys are always present (null when unknown): clients map fields by name.
 * @param pauses those in force; a record of a command that has ended needs none
 */
export function statusRecord(
  command: CommandRecord,
  urlOf: UrlOf,
  pauses: readonly Pause[] = [],
): CommandStatusRecord {
  const { status } = command
  const pause = status === 'QUEUED' ? pauseOf(command, pauses) : null
  return {
    command_id: command.commandId,
    environment_name: command.environmentName,
    status,
    processing_stage: command.stage,
    command_type: command.commandType,
    error_status: command.errorStatus,
    error_message: command.errorMessage,
    total_processing_seconds:
      command.finishedAt === null ? null : secondsBetween(command.createdAt, command.finishedAt),
    ffmpeg_command_run_seconds: command.ffmpegRunSeconds,
    vcpu_count: command.vcpuCount,
    processing_quota_used: processingMbytes(command),
    metadata: command.metadata === null ? null : { ...command.metadata },
    output_files: status === 'SUCCESS' ? outputFiles(command.files, urlOf) : null,
    original_request: originalRequest(command),
    created_at: timestamp(command.createdAt),
    started_at: timestampOrNull(command.startedAt),
    finished_at: timestampOrNull(command.finishedAt),
    progress_percent: command.progressPercent,
    priority: command.priority,
    queue_position: status === 'QUEUED' ? command.queuePosition : null,
    queue_reason: status !== 'QUEUED' ? null : pause === null ? command.queueReason : 'PAUSED',
    queue_message: pause?.why ?? null,
    estimated_start_at: pause === null ? timestampOrNull(estimatedStart(command)) : null,
    attempts: command.attempts,
    max_command_run_seconds: command.maxRunSeconds,
    steps: stepsOf(command),
    warnings: command.warnings.map((one) => ({ ...one })),
    submitted_by: submittedBy(command),
    cancelled_by: command.errorStatus === 'CANCELLED' ? command.cancelledBy : null,
  }
}

function submittedBy({ submittedBy: key }: CommandRecord): CommandStatusRecord['submitted_by'] {
  return key === null ? null : { key_prefix: key.prefix, key_label: key.label }
}

export function listItem(command: CommandSummary): CommandListItem {
  const { status } = command
  return {
    command_id: command.commandId,
    environment_name: command.environmentName,
    status,
    error_status: command.errorStatus,
    error_message: command.errorMessage,
    created_at: timestamp(command.createdAt),
    storage_quota_used: isFinal(status) ? mbytes(command.storedBytes) : null,
    processing_quota_used: processingMbytes(command),
    output_file_count: isFinal(status) ? command.outputCount : null,
    command_type: command.commandType,
    finished_at: timestampOrNull(command.finishedAt),
    metadata: command.metadata === null ? null : { ...command.metadata },
  }
}

/** `out_10` behind `out_9`. */
const byNumber = new Intl.Collator('en', { numeric: true }).compare

function outputFiles(files: readonly StoredFile[], urlOf: UrlOf): Record<string, FileRecord> {
  // Steps of a chain may end in another order than that of their outputs.
  const sorted = files.toSorted((a, b) => byNumber(a.alias ?? '', b.alias ?? ''))
  return Object.fromEntries(sorted.map((file) => [file.alias ?? '', fileRecord(file, urlOf)]))
}

/** Milliseconds. An estimate that moves with each poll would make every answer a new one (ETag). */
const estimateStepMs = 10_000

function estimatedStart({ status, estimatedStartAt }: CommandRecord): Date | null {
  if (status !== 'QUEUED' || estimatedStartAt === null) return null
  return new Date(Math.ceil(estimatedStartAt.getTime() / estimateStepMs) * estimateStepMs)
}

/** Steps outlive the commands that the retention deletes. */
function stepsOf({ originalRequest: request, source, steps }: CommandRecord): Step[] {
  if (request === null) return [...steps]
  return source.commands.map((_, index) => stepAt(steps, index))
}

/** A row has no steps before the first report. */
function stepAt(steps: readonly Step[], index: number): Step {
  return (
    steps.find((step) => step.index === index) ?? {
      index,
      status: 'QUEUED',
      progress_percent: null,
      ffmpeg_command_run_seconds: null,
      exit_code: null,
    }
  )
}

/** Stored as built from the validated request, so the cast is safe. */
function originalRequest({ originalRequest: request }: CommandRecord): OriginalRequest | null {
  return request === null ? null : ({ ...request } as unknown as OriginalRequest)
}

function processingMbytes({
  status,
  processingBytes,
}: CommandSummary | CommandRecord): number | null {
  return isFinal(status) ? mbytes(processingBytes ?? 0) : null
}
