import type { Work } from './commands.ts'

/** From the row to its custom resource, by the API server. */
export interface DispatchStore {
  /**
   * Rows without a custom resource, oldest first, leased for `leaseSeconds` so that replicas do not
   * work on the same ones. Returns none while `liveLimit` resources are alive. Rows whose backoff has
   * not ended are left out; so are all rows that have failed before, unless `retries`.
   */
  claimUndispatched(query: {
    limit: number
    liveLimit: number
    leaseSeconds: number
    retries: boolean
  }): Promise<UndispatchedCommand[]>
  markDispatched(commandId: string, resourceUid: string): Promise<void>
  /**
   * Counts a failed try of this row alone and sets when it is tried next. null where the row has been
   * dispatched or has ended, and where another dispatcher has counted since it was claimed: of two
   * that worked on the same row, one counts.
   */
  recordDispatchFailure(failure: DispatchFailure): Promise<FailedDispatch | null>
}

export interface UndispatchedCommand extends Work {
  readonly accountName: string
  /** Above 0 where an earlier resource of the command vanished after its admission. */
  readonly round: number
  /** Failed tries to create its custom resource, as counted when the row was claimed. */
  readonly tries: number
}

export interface DispatchFailure {
  readonly commandId: string
  /** `UndispatchedCommand.tries`. */
  readonly tries: number
  /** The row is at fault, and not the cluster. */
  readonly definite: boolean
  readonly error: string
  readonly retrySeconds: number
}

export interface FailedDispatch {
  /** Definite errors so far. */
  readonly definite: number
  /** Since the first definite error; 0 without one. */
  readonly errorSeconds: number
}
