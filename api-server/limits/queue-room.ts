import { refusal } from '../http/errors.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Plan } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { QueuedList, QueueState } from '../../common/store/limits.ts'
import type { Store } from '../../common/store/store.ts'

/** Bounds how many commands and stored files of an account wait. */
export interface QueueRoom {
  /** @throws Refusal 429 with Retry-After */
  require(account: Account, plan: Plan, list: QueuedList): Promise<void>
}

export interface QueueRoomDeps {
  readonly store: Pick<Store, 'readQueue'>
  readonly clock: Clock
  readonly metrics: { queueFull(list: QueuedList, plan: string): void }
}

/** A count below this part of the limit is used again for `rememberMs`. */
const nearlyFull = 0.9
const rememberMs = 1_000
const mostRemembered = 10_000
/** Assumed duration of a command until durations of the account's own commands are known. */
const assumedSeconds = 10

/**
 * A full queue is 429 and not 403: the unchanged request succeeds later, and clients retry it.
 * Requests that are checked at the same time may exceed the limit by their number.
 */
export function createQueueRoom({ store, clock, metrics }: QueueRoomDeps): QueueRoom {
  const remembered = new Map<string, { queued: number; untilMs: number }>()
  return {
    async require(account, plan, list) {
      const limit = list === 'commands' ? plan.maxQueued : plan.maxQueuedFiles
      if (limit === null) return
      const id = `${list} ${account.accountId}`
      const known = remembered.get(id)
      if (
        known !== undefined &&
        known.untilMs > clock.monotonicMs() &&
        known.queued < nearlyFull * limit
      ) {
        known.queued += 1
        return
      }
      const state = await store.readQueue(account.accountId, list)
      if (remembered.size >= mostRemembered) remembered.clear()
      remembered.set(id, { queued: state.queued + 1, untilMs: clock.monotonicMs() + rememberMs })
      if (state.queued < limit) return
      metrics.queueFull(list, account.plan)
      const retrySeconds = secondsPerEnd(state)
      throw refusal(
        429,
        `Queue full: ${state.queued} of ${limit} ${list} of plan '${account.plan}' wait; retry in ${retrySeconds} s`,
        { 'Retry-After': String(retrySeconds) },
        'queue_full',
      )
    },
  }
}

/** Whole seconds from 1 to 600 after which one of the account's running commands has ended, on average. */
function secondsPerEnd({ running, meanSeconds }: QueueState): number {
  const seconds = (meanSeconds ?? assumedSeconds) / Math.max(1, running)
  return Math.min(600, Math.max(1, Math.ceil(seconds)))
}
