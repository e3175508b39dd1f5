import type { Work } from './commands.ts'

/** Store methods of dispatch, by which the API server creates a custom resource per row. */
export interface DispatchStore {
  /**
   * Rows without a custom resource, leased for `leaseSeconds` so that replicas do not work on the same
   * ones: the first row of each account before the second of any, of equal places the account with the
   * least use first. Rows whose backoff has not ended are left out; so are all rows that have failed
   * before, unless `retries`.
   */
  claimUndispatched(query: DispatchClaim): Promise<UndispatchedCommand[]>
  /** The key of the marks that dispatched custom resources carry; the same for the life of the database. */
  readDispatchKey(): Promise<string>
  markDispatched(commandId: string, resourceUid: string): Promise<void>
  /**
   * Counts a failed attempt to dispatch this row and sets the time of the next one. null if the row
   * has been dispatched or has ended, or if another dispatcher has counted a failure since this claim:
   * of two that worked on the same row, only one counts.
   */
  recordDispatchFailure(failure: DispatchFailure): Promise<FailedDispatch | null>
}

export interface DispatchClaim {
  readonly limit: number
  /** Most custom resources of commands that have not ended; at this number none is claimed. */
  readonly liveLimit: number
  /** Most custom resources of one account that wait for admission, those of stored files counted apart. */
  readonly lookAhead: number
  readonly leaseSeconds: number
  readonly retries: boolean
}

export interface UndispatchedCommand extends Work {
  readonly accountName: string
  /** Secret: see `dispatchMark`. */
  readonly dispatchKey: string
  /** Above 0 if an earlier resource of the command was deleted after its admission. */
  readonly jobGeneration: number
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
