import type { Work } from './commands.ts'

/** From the row to its custom resource, by the API server. */
export interface DispatchStore {
  /**
   * Rows without a custom resource, oldest first, leased for `leaseSeconds` so that replicas do not
   * work on the same ones. Returns none while `liveLimit` resources are alive.
   */
  claimUndispatched(query: {
    limit: number
    liveLimit: number
    leaseSeconds: number
  }): Promise<UndispatchedCommand[]>
  markDispatched(commandId: string, resourceUid: string): Promise<void>
}

export interface UndispatchedCommand extends Work {
  readonly accountName: string
  /** Above 0 where an earlier resource of the command vanished after its admission. */
  readonly round: number
}
