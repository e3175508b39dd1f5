import { createEachItem } from '../../common/runtime/each-item.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'
import { backoffMs, createBreaker } from './breaker.ts'
import { sendCanary } from './canary.ts'
import { dispatchCommand } from './dispatch-command.ts'
import type { DispatcherDeps } from './dispatcher-deps.ts'
import { createInFlight } from './in-flight.ts'
import { judgeFailure } from './judge-failure.ts'
import { createWakeUp } from './wake-up.ts'

export interface Dispatcher {
  /** Runs until the signal; what is under way then is finished. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Rows may be waiting: poll now. */
  readonly notify: () => void
}

const defaultPollMs = 100
/** How long a crashed dispatcher's rows stay with it. A slow one that overruns meets a 409, no harm. */
const leaseSeconds = 2
/** While nearly all places are taken: a statement for each place that gets free would be too many. */
const crowdedMs = 20
const reportEveryMs = 60_000

/**
 * Makes the custom resource of every row that has none. The row is the truth, the name follows from
 * it, and "exists" is success, so it may crash anywhere and be run by any number of replicas. Each
 * row is on its own: it fails, backs off and ends without delaying another.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { effects, logger, pollMs = defaultPollMs } = deps
  const { clock } = effects
  const wakeUp = createWakeUp(clock)
  const inFlight = createInFlight(clock)
  const eachRow = createEachItem({ name: 'dispatch', clock, logger })
  const breaker = createBreaker({
    ...deps,
    pause: wakeUp.pause,
    sendCanary: () => sendCanary(deps),
  })
  let isCrowded = false
  let reportedMs = -Infinity
  return { notify: wakeUp.wake, run }

  async function run(signal: AbortSignal): Promise<void> {
    const underWay = new Set<Promise<void>>()
    let failures = 0
    while (!signal.aborted) {
      if (!(await breaker.pass(signal))) continue
      const claimed = await claim()
      if (claimed === null) {
        failures += 1
        await wakeUp.pause(backoffMs(failures, effects.random()), signal)
        continue
      }
      failures = 0
      for (const row of claimed.rows) {
        if (!inFlight.add(row)) continue
        const done = dispatchRow(row).finally(() => underWay.delete(done))
        underWay.add(done)
      }
      isCrowded = claimed.isFull && !inFlight.hasRoom()
      if (isCrowded) await wakeUp.wait(crowdedMs, signal)
      else if (!claimed.isFull) await wakeUp.wait(pollMs, signal)
    }
    await Promise.all(underWay)
  }

  /** null where the database is away. */
  async function claim(): Promise<{ rows: UndispatchedCommand[]; isFull: boolean } | null> {
    const room = inFlight.claim()
    if (room === null) return { rows: [], isFull: true }
    // Rows under way have no resource yet and would not count.
    const liveLimit = deps.liveCommands - inFlight.size()
    try {
      const rows = await effects.failpoint('dispatch.rows_claimed', () =>
        deps.store.claimUndispatched({ ...room, liveLimit, leaseSeconds }),
      )
      return { rows, isFull: rows.length === room.limit }
    } catch (error) {
      reportClaim(error)
      return null
    }
  }

  async function dispatchRow(row: UndispatchedCommand): Promise<void> {
    const startedMs = clock.monotonicMs()
    await eachRow.run([row], {
      async work() {
        if ((await dispatchCommand(deps, row)) === 'created') breaker.wrote()
      },
      postpone: (_row, error) => judgeFailure(deps, breaker, row, { error, startedMs }),
      describe: ({ commandId, accountName }) => ({ command_id: commandId, account: accountName }),
    })
    inFlight.remove(row)
    if (isCrowded && inFlight.hasRoom()) wakeUp.wake()
  }

  /** An outage of an hour is a line a minute. */
  function reportClaim(error: unknown): void {
    deps.metrics.counted('claim_failed')
    if (clock.monotonicMs() - reportedMs < reportEveryMs) return
    reportedMs = clock.monotonicMs()
    logger.warn('cannot claim rows to dispatch', { error })
  }
}
