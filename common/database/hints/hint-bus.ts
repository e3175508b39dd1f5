import { hints } from '../../store/hints.ts'
import type { Clock } from '../../runtime/effects.ts'
import type { Hint } from '../../store/hints.ts'

/** Passes hints to the loops of this process, and through Postgres to those of all others. */
export interface HintBus {
  /**
   * Work was made: wakes the loops here, and notifies the other processes. Of work of the leader its own process gives
   * none: it is passed the id of the command.
   */
  readonly give: (hint: Hint) => void
  /** @returns ends the subscription */
  readonly subscribe: (hint: Hint, onHint: () => void) => () => void
  /** A notification from the database; of a newer program it may have another name. */
  readonly receive: (name: string) => void
  /** Hints may have been lost: wakes all loops here. */
  readonly receiveAll: () => void
}

/** At most ten notifications a second of a kind: a poll that is woken finds all work at once. */
const betweenMs = 100

/** Their only loop is that of the leader. */
const ofLeader: ReadonlySet<Hint> = new Set(['mirror'])

/** @param notify sends the notifications of one moment; never rejects */
export function createHintBus(
  clock: Clock,
  notify: (hints: readonly Hint[]) => Promise<void>,
): HintBus {
  const subscribers = new Map<Hint, Set<() => void>>(hints.map((hint) => [hint, new Set()]))
  const waiting = new Map<Hint, { again: boolean }>()
  const unsent = new Set<Hint>()

  function emit(hint: Hint): void {
    for (const onHint of subscribers.get(hint) ?? []) onHint()
  }

  function send(hint: Hint): void {
    const pending = waiting.get(hint)
    if (pending !== undefined) {
      pending.again = true
      return
    }
    const state = { again: false }
    waiting.set(hint, state)
    if (unsent.size === 0) queueMicrotask(sendAll)
    unsent.add(hint)
    clock.schedule(betweenMs, () => {
      waiting.delete(hint)
      if (state.again) send(hint)
    })
  }

  function sendAll(): void {
    const all = [...unsent]
    unsent.clear()
    void notify(all)
  }

  return {
    give(hint) {
      if (ofLeader.has(hint) && subscribers.get(hint)?.size !== 0) return
      emit(hint)
      send(hint)
    },
    subscribe(hint, onHint) {
      subscribers.get(hint)?.add(onHint)
      return () => void subscribers.get(hint)?.delete(onHint)
    },
    receive(name) {
      const hint = hints.find((each) => each === name)
      if (hint !== undefined) emit(hint)
    },
    receiveAll: () => hints.forEach(emit),
  }
}
