import type { Pause } from '../../../common/store/administration/pauses.ts'

interface Waiting {
  readonly accountId: string
  /** null outside the queue. */
  readonly queuePosition: number | null
  readonly queueReason: string | null
}

/** The pause that keeps a command in the queue, or null. One of dispatch does not keep what is in the cluster. */
export function pauseOf(command: Waiting, pauses: readonly Pause[]): Pause | null {
  if (command.queuePosition === null) return null
  const keeps = ({ what, accountId }: Pause): boolean =>
    what === 'admission' ||
    (what === 'account' && accountId === command.accountId) ||
    (what === 'dispatch' && command.queueReason === 'PAUSED')
  return pauses.find(keeps) ?? null
}
