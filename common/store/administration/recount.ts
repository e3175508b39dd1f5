/** Figures that triggers keep, compared with a count of the rows themselves. */
export interface RecountStore {
  /** Recounts one account; each figure is compared in one snapshot, so the account may be used meanwhile. */
  recount(accountId: string): Promise<Difference[]>
  /** Commands that have ended `olderThanSeconds` ago and still hold vCPUs. */
  findUnreleased(olderThanSeconds: number): Promise<Unreleased[]>
}

export interface Difference {
  readonly what: 'stored bytes' | 'reserved bytes'
  readonly kept: number
  readonly counted: number
}

export interface Unreleased {
  readonly commandId: string
  readonly account: string
  readonly vcpus: number
  readonly finishedAt: Date
}
