import type { Effects } from '../../../common/runtime/effects.ts'
import type { ErrorStatus } from '../../../common/domain/failures.ts'
import type { OutcomeCommit } from '../../../common/store/attempts.ts'
import type { CommandStatus } from '../../../common/domain/states.ts'
import type { Store } from '../../../common/store/store.ts'

interface Deps {
  readonly store: Pick<Store, 'commitOutcome' | 'requestCancel'>
  readonly effects: Pick<Effects, 'failpoint'>
}

export type Stopped =
  /** The command had no runner and has ended as CANCELLED now. */
  | { readonly kind: 'ended' }
  /** The command had ended before. */
  | {
      readonly kind: 'final'
      readonly status: CommandStatus
      readonly errorStatus: ErrorStatus | null
    }
  /** The operator or the runner has to end it. */
  | { readonly kind: 'requested' }

/**
 * Ends a command that no runner has, by the statement that commits all outcomes, or requests its end.
 * @param cancelledBy in words that its record shows
 */
export async function stopCommand(
  { store, effects }: Deps,
  commandId: string,
  cancelledBy: string,
): Promise<Stopped> {
  const committed = await effects.failpoint('api.cancel_committed', () =>
    store.commitOutcome({ ...cancelled, commandId, attempt: null, cancelledBy }),
  )
  if (committed.kind === 'committed') return { kind: 'ended' }
  if (committed.kind === 'final') return committed
  await effects.failpoint('api.cancel_requested', () => store.requestCancel(commandId, cancelledBy))
  return { kind: 'requested' }
}

const cancelled: Omit<OutcomeCommit, 'commandId' | 'attempt'> = {
  outcome: {
    status: 'FAILED',
    errorStatus: 'CANCELLED',
    errorMessage: 'Cancelled by request',
  },
  steps: null,
  usage: null,
  logs: [],
}
