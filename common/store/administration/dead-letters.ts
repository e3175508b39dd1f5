/** The service's own work that fails again and again, or was given up. */
export const deadLetterKinds = ['dispatch', 'sweep', 'delivery'] as const
/**
 * `dispatch`: the cluster refuses the custom resource of a command. `sweep`: the objects of a lost attempt or of a
 * deleted file cannot be deleted. `delivery`: the attempts of a webhook have all failed.
 */
export type DeadLetterKind = (typeof deadLetterKinds)[number]

export interface DeadLetter {
  readonly kind: DeadLetterKind
  /** Id of the command, attempt, file or delivery. */
  readonly id: string
  /** Name of the account. */
  readonly account: string
  readonly since: Date
  readonly tries: number
  /** null: it was given up. */
  readonly retryAt: Date | null
  /** null: it stands in the log of the operator. */
  readonly problem: string | null
  /** Name of the thing that cannot be created, deleted or reached. */
  readonly target: string
}

export interface DeadLetterStore {
  /** At most `limit` of each kind, oldest first. */
  listDeadLetters(of: {
    kind: DeadLetterKind | null
    accountId: string | null
    limit: number
  }): Promise<DeadLetter[]>
  findDeadLetter(id: string): Promise<DeadLetter | null>
  /** Makes it due now. @returns false if there is none with this id */
  retryDeadLetter(letter: Pick<DeadLetter, 'kind' | 'id'>): Promise<boolean>
  /**
   * Ends its retries: objects of a sweep stay in the bucket, a delivery is forgotten. A command is ended by
   * its cancellation instead.
   */
  dropDeadLetter(letter: { kind: 'sweep' | 'delivery'; id: string }): Promise<boolean>
}
