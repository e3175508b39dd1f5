/** Changes that the commands of the administration have made. */
export interface AdminActionStore {
  recordAdminAction(action: Omit<AdminAction, 'doneAt'>): Promise<void>
  /** The newest first. */
  listAdminActions(limit: number): Promise<AdminAction[]>
}

export interface AdminAction {
  readonly doneAt: Date
  /** `pause admission` */
  readonly command: string
  readonly arguments: readonly string[]
  /** Name of the pod in which it ran. */
  readonly host: string
  /** Name of the administrator as sent, which nothing verifies; null: none was sent. */
  readonly claimedBy: string | null
}
