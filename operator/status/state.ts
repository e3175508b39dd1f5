import { storedBytes } from '../../common/kubernetes/stored-bytes.ts'
import { storageUrl } from '../../common/domain/storage-keys.ts'
import type { RecordedOutputs, ReconcileRow } from '../../common/store/reconcile.ts'
import type { FfmpegCommandStatus } from '../../crds/ffmpegcommand.ts'
import type { StoredFileStatus } from '../../crds/storedfile.ts'
import type { Clocks } from '../resources/limits.ts'
import { conditionsFor } from './conditions.ts'
import type { RowTimes, Standing } from './conditions.ts'
import { camelCase, cut } from './reason.ts'
import type { Reason } from './reason.ts'
import type { ShownStatus } from '../observe/shown-status.ts'

export interface StatusContext {
  readonly generation: number
  readonly shown: ShownStatus
  /** RFC 3339. */
  readonly now: string
  readonly clocks: Clocks
  /** Null before there is one. */
  readonly jobName: string | null
  /** Why it waits or has not started; not read once it has started. */
  readonly waiting: Reason
  readonly publicBaseUrl: string
  /** The object refers to its request: `kubectl describe` shows its beginning only. */
  readonly byReference: boolean
}

/**
 * The desired status of the custom resource: a projection of the row, which can be recomputed any
 * time.
 */
export function statusFor(row: ReconcileRow, context: StatusContext): FfmpegCommandStatus {
  const standing = standingOf(row, context)
  const { why } = standing
  return {
    observedGeneration: context.generation,
    state: row.status,
    ...(row.stage === null ? {} : { stage: row.stage }),
    reason: why.reason,
    message: messageOf(row, why, context),
    ...(row.progressPercent === null ? {} : { progressPercent: row.progressPercent }),
    steps: row.steps.map(stepStatus),
    ...(row.attempt === null ? {} : { attempt: row.attempt, start: startOf(row) }),
    attempts: row.attempts,
    ...(context.jobName === null ? {} : { jobName: context.jobName }),
    ...(row.queuePosition === null || row.queuePosition > longestQueueShown
      ? {}
      : { queuePosition: row.queuePosition }),
    vcpuCount: row.vcpuCount,
    queuedAt: row.createdAt.toISOString(),
    ...(row.startedAt === null ? {} : { startedAt: row.startedAt.toISOString() }),
    ...(row.finishedAt === null ? {} : { finishedAt: row.finishedAt.toISOString() }),
    ...context.clocks,
    ...(row.errorStatus === null ? {} : { errorStatus: row.errorStatus }),
    ...(row.errorMessage === null ? {} : { errorMessage: cut(row.errorMessage) }),
    ...(row.outputs === null ? {} : { outputs: outputsStatus(row.outputs, context.publicBaseUrl) }),
    conditions: conditionsFor(standing, context.shown, { ...context, times: timesOf(row) }),
  }
}

export function timesOf({ createdAt, startedAt, finishedAt }: ReconcileRow): RowTimes {
  return {
    queuedAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

export function startOf({ warmRunnerJob }: ReconcileRow): 'Warm' | 'Cold' {
  return warmRunnerJob === null ? 'Cold' : 'Warm'
}

/** Status of an object that can have no row. */
export function rejectedStatus(
  why: Reason,
  context: Pick<StatusContext, 'generation' | 'shown' | 'now'>,
): FfmpegCommandStatus & StoredFileStatus {
  return {
    observedGeneration: context.generation,
    state: 'FAILED',
    reason: why.reason,
    message: cut(why.message),
    errorMessage: cut(why.message),
    conditions: conditionsFor({ kind: 'rejected', why }, context.shown, context),
  }
}

/** Status of an object that has no row yet. */
export function waitingStatus(
  why: Reason,
  context: Pick<StatusContext, 'generation' | 'shown' | 'now'>,
): FfmpegCommandStatus & StoredFileStatus {
  return {
    observedGeneration: context.generation,
    state: 'QUEUED',
    reason: why.reason,
    message: cut(why.message),
    conditions: conditionsFor({ kind: 'waiting', why }, context.shown, context),
  }
}

function messageOf(
  { status, commandId }: ReconcileRow,
  { message }: Reason,
  { byReference }: StatusContext,
): string {
  const hint = `; 'cloud-ffmpeg show ${commandId}' prints the whole command`
  return byReference && status === 'QUEUED'
    ? cut(message, longestMessage - hint.length) + hint
    : cut(message, longestMessage)
}

/** Characters; with it a status stays below 4 KiB. */
const longestMessage = 250

function standingOf(row: ReconcileRow, { waiting }: StatusContext): Standing {
  switch (row.status) {
    case 'SUCCESS':
      return { kind: 'succeeded', why: { reason: 'Succeeded', message: successMessage(row) } }
    case 'FAILED': {
      const { errorStatus, errorMessage, admitted } = row
      return failedStanding(errorStatus ?? 'INTERNAL_ERROR', errorMessage ?? '', admitted)
    }
    case 'QUEUED':
    case 'PROCESSING':
    case 'PREPARED_FFMPEG_COMMAND':
      if (row.attempt === null) return beforeRun(row, waiting)
      return { kind: 'running', why: { reason: 'Running', message: 'A runner holds the command' } }
  }
}

/** The first warning, for who reads the object alone; the record has all of them. */
function successMessage({ warnings }: ReconcileRow): string {
  const [first] = warnings
  return first === undefined
    ? 'All outputs are stored'
    : `All outputs are stored. ${first.code}: ${first.message}`
}

/** A command needs admission twice where Kueue queues its Job. */
export function beforeRun({ admitted }: ReconcileRow, why: Reason): Standing {
  const waits = !admitted || why.reason === 'WaitingForKueue'
  return { kind: waits ? 'waiting' : 'starting', why }
}

export function failedStanding(
  errorStatus: string,
  message: string,
  admitted: boolean,
): Extract<Standing, { kind: 'failed' }> {
  return { kind: 'failed', errorStatus, why: { reason: camelCase(errorStatus), message }, admitted }
}

/** Each admission moves every place in the queue; distant places are not worth a write each. */
export const longestQueueShown = 100

type StepStatus = NonNullable<FfmpegCommandStatus['steps']>[number]

function stepStatus(step: ReconcileRow['steps'][number]): StepStatus {
  return {
    index: step.index,
    status: step.status,
    ...(step.progress_percent === null ? {} : { progressPercent: step.progress_percent }),
    ...(step.ffmpeg_command_run_seconds === null
      ? {}
      : { runSeconds: step.ffmpeg_command_run_seconds }),
    ...(step.exit_code === null ? {} : { exitCode: step.exit_code }),
  }
}

/** URLs that are longer than the CRD allows, or more than fit the status, are in the REST API alone. */
function outputsStatus(
  { count, bytes, first }: RecordedOutputs,
  publicBaseUrl: string,
): NonNullable<FfmpegCommandStatus['outputs']> {
  const urls = first.map(({ alias, key }) => ({ alias, url: storageUrl(publicBaseUrl, key) }))
  const firstUrl = urls[0]?.url
  const showsFirst = firstUrl !== undefined && storedBytes(firstUrl) <= longestUrl
  let bytesLeft = outputsBytes - (showsFirst ? storedBytes(firstUrl) : 0)
  const files = urls.filter((file) => {
    const taken = storedBytes(file) + 1
    if (file.url.length > longestUrl || taken > bytesLeft) return false
    bytesLeft -= taken
    return true
  })
  return {
    count,
    bytes,
    ...(showsFirst ? { firstUrl } : {}),
    ...(files.length === 0 ? {} : { files }),
    ...(files.length === count ? {} : { more: count - files.length }),
  }
}

const longestUrl = 2048
/** Stored bytes of all URLs of a status. */
const outputsBytes = 3_072
