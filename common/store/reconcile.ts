import type { ErrorStatus } from '../domain/failures.ts'
import type { QueueReason } from '../domain/states.ts'
import type { AccountLimits } from '../domain/plans.ts'
import type { AdmissionStore } from './admission.ts'
import type { NewCommand, Lifecycle, Work } from './commands.ts'
import type { StoredFile } from './files.ts'

/** A row whose custom resource does not show its version. */
export interface Unmirrored {
  readonly commandId: string
  readonly version: number
  readonly final: boolean
  /** The leader has to end it, which only the row says. */
  readonly cancelRequested: boolean
}

/** Store methods of the reconcile loop. */
export interface ReconcileStore extends AdmissionStore {
  findForReconcile(commandId: string): Promise<ReconcileRow | null>
  /**
   * A command applied with kubectl, or one whose row was lost. `exists` when a row with this id is there
   * already.
   */
  importCommand(command: ImportedRow): Promise<'inserted' | 'exists'>
  /**
   * A stored file applied with kubectl: its record, QUEUED, and its work. `exists` when a row with
   * this id is there already.
   */
  importFile(file: ImportedFile): Promise<'inserted' | 'exists'>
  /** Records a refused import: a row that is FAILED from the start, INVALID_COMMAND. */
  importRefused(command: ImportedRow & { errorMessage: string }): Promise<'inserted' | 'exists'>
  /**
   * The attempt behind the generation's pod was lost (evicted, node gone, deleted, crashed): fences it
   * and starts the next generation, or ends the command if none is left. Guarded by generation, attempt and
   * "not final"; `null` = the guard did not hold, since another writer was first.
   * A `charged` loss counts as a crash of the runner, an uncharged one as a loss of infrastructure;
   * both use up attempts. Evictions by the queue of the Job, and losses of pods on spot nodes, are counted apart
   * from all others, each kind against the `maxAttempts` of its losses. `sameGeneration` keeps the generation while its Job is alive and can start the next
   * pod itself; a loss without a pod always begins the next generation.
   */
  loseAttempt(loss: LostAttempt): Promise<{ jobGeneration: number } | { ended: ErrorStatus } | null>
  /** Releases the account's vCPUs and adds their vCPU-seconds to what it used; false if they were released already. */
  releaseQuota(commandId: string): Promise<boolean>
  /** @param reason of the cluster that keeps an admitted command from its runner; null: none */
  recordStartWait(commandId: string, reason: QueueReason | null): Promise<void>
  /** Versions the custom resource does not show yet: finished and cancelled ones first, then by age. */
  findUnmirrored(limit: number): Promise<Unmirrored[]>
  /** The custom resource shows `version`. Final rows get `mirrored_at` by it. */
  markMirrored(commandId: string, version: number): Promise<void>
  /**
   * Finished, mirrored and released rows whose custom resource can be deleted: mirrored at least
   * `olderThanSeconds` ago; the `keepNewest` newest stay until `keepSeconds`. Without those in `except`, and in
   * `kept` unless their account is being deleted.
   */
  findCollectable(
    query: Collectable & { except: readonly string[]; kept?: readonly string[]; limit: number },
  ): Promise<string[]>
  collectableBacklog(query: Collectable): Promise<{ rows: number; oldestSeconds: number }>
  markResourceDeleted(commandId: string): Promise<void>
  /**
   * Rows that are dispatched and not final, or final and still holding vCPUs, in pages by id. The
   * resync compares them with the cluster.
   */
  findUnsettled(query: { afterCommandId: string | null; limit: number }): Promise<string[]>
  /**
   * The custom resource was deleted without a request to cancel: dispatch creates it again, the
   * attempt that held it is fenced, the next generation begins. Changes nothing if the UID differs by now.
   */
  undispatch(commandId: string, resourceUid: string): Promise<void>
  /** Requests the cancellation. Idempotent: the first request says who cancelled. */
  requestCancel(commandId: string, cancelledBy: string): Promise<void>
}

/** How long custom resources of finished commands are kept. */
export interface Collectable {
  readonly olderThanSeconds: number
  readonly keepNewest: number
  readonly keepSeconds: number
}

export interface ImportedRow extends NewCommand {
  readonly resourceUid: string
  /** RFC 3339; the present if absent. */
  readonly submittedAt?: string | undefined
}

export interface ImportedFile {
  readonly fileId: string
  readonly accountId: string
  readonly environmentName: string | null
  readonly url: string
  readonly isPrivate: boolean
  /** Expires so many days after its creation; null or absent: it is kept. */
  readonly keepDays?: number | null
  readonly resourceUid: string
}

export interface ReconcileRow extends Work, Lifecycle {
  readonly accountName: string
  readonly accountPlan: string
  /** Figures of the account in place of its plan's. */
  readonly accountLimits: AccountLimits
  /** Bytes of the storage quota that it reserves for its outputs. */
  readonly reservedOutputBytes: number
  /** Increases with every change of the row; the custom resource shows `mirroredVersion`. */
  readonly version: number
  readonly mirroredVersion: number
  readonly mirrored: boolean
  readonly resourceUid: string | null
  /** True also if the stored file of this work was deleted. */
  readonly cancelRequested: boolean
  readonly admitted: boolean
  /** Seconds since admission or since the present generation began, by the database's clock. */
  readonly secondsSinceGeneration: number | null
  readonly released: boolean
  /** 0 before admission, then the number of the present Job. */
  readonly jobGeneration: number
  /** Pod UID that holds the command now. */
  readonly attempt: string | null
  /** Name of the warm runner's Job, if that pod waited for a command before it was given this one. */
  readonly warmRunnerJob: string | null
  /** How long it had waited then. */
  readonly waitedSeconds: number | null
  /** Pod UIDs of this command that were fenced. */
  readonly lostAttempts: string[]
  /** How many of them were evicted by the queue that its Job waits in. */
  readonly evictions: number
  /** How many of them the cluster took from nodes of a profile with `spot`. */
  readonly spotLosses: number
  /** Generation from which the command returned to the queue last; 0: none. A Job of that one is of no use. */
  readonly returnedGeneration: number
  /** Reason of the cluster for a wait after admission, as `recordStartWait` wrote it. */
  readonly startWait: QueueReason | null
  readonly queuePosition: number | null
  readonly outputs: RecordedOutputs | null
  /** The record that the work on a stored file fills in; null for a command. */
  readonly file: FileProgress | null
}

export interface RecordedOutputs {
  readonly count: number
  readonly bytes: number
  /** The first ten in the order of the result. */
  readonly first: readonly { readonly alias: string; readonly key: string }[]
}

/** A deleted file counts as cancelled, with any status of its record. */
export interface FileProgress extends Pick<
  StoredFile,
  'status' | 'errorStatus' | 'errorMessage' | 'key' | 'sizeBytes'
> {
  readonly fileType: string | null
  readonly deleted: boolean
}

export interface LostAttempt {
  readonly commandId: string
  readonly jobGeneration: number
  /** null: the pod died before it requested its assignment. */
  readonly attempt: string | null
  readonly podUid: string | null
  readonly reason: string
  readonly charged: boolean
  readonly sameGeneration: boolean
  readonly maxAttempts: number
}
