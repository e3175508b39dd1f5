/** Parts that can be paused for all accounts; everything that is under way goes on. */
export const pausable = ['submissions', 'dispatch', 'admission', 'webhooks'] as const
export type Pausable = (typeof pausable)[number]

/** A part of the service, or the queue of one account. */
export type PauseTarget =
  { readonly what: Pausable } | { readonly what: 'account'; readonly accountId: string }

export interface Pause {
  readonly what: Pausable | 'account'
  /** null for a part of the service. */
  readonly accountId: string | null
  /** Shown to the clients whose work it delays. */
  readonly why: string
  readonly pausedAt: Date
}

/** Switches of the administration. They are rows, so that neither a restart nor an upgrade loses them. */
export interface PauseStore {
  /** The oldest first. */
  readPauses(): Promise<Pause[]>
  /**
   * Once it resolves, no admission and no claim of rows begins that the pause excludes. A later reason
   * replaces an earlier one.
   */
  pause(target: PauseTarget, why: string): Promise<void>
  /** @returns false if it was not paused */
  resume(target: PauseTarget): Promise<boolean>
}
