import { isFinal } from '../../common/domain/states.ts'
import { storageUrl } from '../../common/domain/storage-keys.ts'
import type { FileProgress, ReconcileRow } from '../../common/store/reconcile.ts'
import type { StoredFileStatus } from '../../crds/storedfile.ts'
import { conditionsFor, storedFileSubject } from './conditions.ts'
import type { Standing } from './conditions.ts'
import { cut } from './reason.ts'
import { beforeRun, failedStanding, startOf, statusFor, timesOf } from './state.ts'
import type { StatusContext } from './state.ts'
import type { WorkStatus } from '../observe/shown-status.ts'

/** Status that the custom resource of the row should show, whichever kind it is. */
export function workStatusFor(row: ReconcileRow, context: StatusContext): WorkStatus {
  return row.commandType === 'STORED_FILE'
    ? fileStatusFor(row, row.file ?? noRecord, context)
    : statusFor(row, context)
}

/** The record is in the same database; a work without one is what a deletion by hand leaves. */
const noRecord: FileProgress = {
  status: 'QUEUED',
  errorStatus: null,
  errorMessage: null,
  key: null,
  sizeBytes: null,
  fileType: null,
  deleted: true,
}

function fileStatusFor(
  row: ReconcileRow,
  file: FileProgress,
  context: StatusContext,
): StoredFileStatus {
  const standing = standingOf(row, file, context)
  const failed = standing.kind === 'failed' ? standing : null
  const url = file.key === null || file.deleted ? '' : storageUrl(context.publicBaseUrl, file.key)
  return {
    observedGeneration: context.generation,
    state: stateOf(row, file),
    reason: standing.why.reason,
    message: cut(standing.why.message, 300),
    ...(file.fileType === null ? {} : { fileType: file.fileType }),
    ...(file.sizeBytes === null ? {} : { sizeBytes: file.sizeBytes }),
    ...(url === '' || url.length > 2048 ? {} : { url }),
    ...(row.attempt === null ? {} : { attempt: row.attempt, start: startOf(row) }),
    attempts: row.attempts,
    ...(context.jobName === null ? {} : { jobName: context.jobName }),
    queuedAt: row.createdAt.toISOString(),
    ...(row.startedAt === null ? {} : { startedAt: row.startedAt.toISOString() }),
    ...(row.finishedAt === null ? {} : { finishedAt: row.finishedAt.toISOString() }),
    ...context.clocks,
    ...(failed === null
      ? {}
      : { errorStatus: failed.errorStatus, errorMessage: cut(failed.why.message) }),
    conditions: conditionsFor(
      standing,
      context.shown,
      { ...context, times: timesOf(row) },
      storedFileSubject,
    ),
  }
}

/**
 * A file that is deleted before its work has ended shows its end with that of the work; one that was
 * stored stays so here, because what has ended does not change.
 */
function stateOf(row: ReconcileRow, file: FileProgress): NonNullable<StoredFileStatus['state']> {
  if (isFinal(row.status)) return file.status === 'STORED' ? 'STORED' : 'FAILED'
  return file.deleted || file.status === 'FAILED' ? 'QUEUED' : file.status
}

function standingOf(row: ReconcileRow, file: FileProgress, { waiting }: StatusContext): Standing {
  if (isFinal(row.status)) {
    if (file.status !== 'STORED') {
      const message = file.errorMessage ?? 'The file was deleted'
      return failedStanding(file.errorStatus ?? 'CANCELLED', message, row.admitted)
    }
    return { kind: 'succeeded', why: row.status === 'SUCCESS' ? stored : storedUnknown }
  }
  if (row.attempt === null) return beforeRun(row, waiting)
  return { kind: 'running', why: { reason: 'Running', message: 'A runner holds the file' } }
}

const stored = { reason: 'Stored', message: 'The file is stored and probed' }
const storedUnknown = { reason: 'Stored', message: 'The file is stored; it could not be probed' }
