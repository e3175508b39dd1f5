/** The states a command passes; SUCCESS and FAILED are final. */
export const commandStatuses = [
  'QUEUED',
  'PROCESSING',
  'PREPARED_FFMPEG_COMMAND',
  'FAILED',
  'SUCCESS',
] as const
export type CommandStatus = (typeof commandStatuses)[number]

export const processingStages = [
  'DOWNLOADING',
  'PREPARING_INPUT_FILES',
  'FFMPEG_PROCESSING',
  'UPLOADING',
] as const
export type ProcessingStage = (typeof processingStages)[number]

export type CommandType = 'FFMPEG_COMMAND' | 'FFMPEG_CHAINED_COMMANDS'

/**
 * Kinds of a row of `commands`: it may also be work on a stored file, which users do not see as a
 * command.
 */
export type WorkType = CommandType | 'STORED_FILE'

/** The states of a file; an output is STORED from the start. */
export const fileStatuses = [
  'QUEUED',
  'DOWNLOADING',
  'DOWNLOADED',
  'UPLOADED',
  'FAILED',
  'STORED',
] as const
export type FileStatus = (typeof fileStatuses)[number]

/**
 * Reasons why a command waits; KUEUE = its Job is suspended, POLICY and QUOTA_OF_CLUSTER = its Job or pod is refused for now,
 * all others: it is not admitted, or (CAPACITY) no node has its pod.
 */
export const queueReasons = [
  'DISPATCH',
  'ACCOUNT_VCPUS',
  'ACCOUNT_JOBS',
  'QUOTA',
  'FAIR_SHARE',
  'CAPACITY',
  'POLICY',
  'QUOTA_OF_CLUSTER',
  'PAUSED',
  'KUEUE',
] as const
export type QueueReason = (typeof queueReasons)[number]

export interface Position {
  readonly status: CommandStatus
  readonly stage: ProcessingStage | null
}

export function isFinal(status: CommandStatus): status is 'SUCCESS' | 'FAILED' {
  return status === 'SUCCESS' || status === 'FAILED'
}

/**
 * Rank of a position within one attempt. PREPARED_FFMPEG_COMMAND lies between PREPARING_INPUT_FILES
 * and FFMPEG_PROCESSING.
 */
export function rank({ status, stage }: Position): number {
  if (status === 'QUEUED') return 0
  if (isFinal(status)) return 6
  if (status === 'PREPARED_FFMPEG_COMMAND') return 3
  switch (stage) {
    case null:
    case 'DOWNLOADING':
      return 1
    case 'PREPARING_INPUT_FILES':
      return 2
    case 'FFMPEG_PROCESSING':
      return 4
    case 'UPLOADING':
      return 5
  }
}

/** Whether `next` may follow `now` within one attempt: reports can arrive late or twice. */
export function isForward(now: Position, next: Position): boolean {
  return !isFinal(now.status) && rank(next) >= rank(now)
}
