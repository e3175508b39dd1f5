import { createPace } from '../../common/runtime/pace.ts'
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
  /** Runs until the signal, then finishes the dispatches in flight. Never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Rows may be waiting: poll now. */
  readonly notify: () => void
}

const defaultPollMs = 100
/** How long a crashed dispatcher holds its rows. A slow one that exceeds it gets a harmless 409. */
const leaseSeconds = 2
/** Pause while nearly all slots are taken, since one statement per free slot would be too many. */
const saturatedMs = 20
/**
 * Pause while notifications lead to no row: the cluster holds as many resources as it may. A claim counts them, so one
 * per submission would take more of the database than the submissions do (b03).
 */
const fullMs = 50
/** The claim before may have taken the row of one notification. */
const mostEmptyClaims = 2
const reportEveryMs = 60_000

/**
 * Creates the custom resource of every row that has none. The resource's name is derived from the
 * row, and "exists" is success, so dispatch is idempotent: it may crash anywhere and run in any number
 * of replicas. Each row fails, backs off and ends without delaying another.
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
  const { hints } = deps
  const pace = createPace(
    {
      everyMs: pollMs,
      shortestMs: () => hints.shortestMs(),
      longestMs: () => hints.longestMs(),
    },
    clock,
  )
  let isSaturated = false
  let isNotified = false
  let emptyClaims = 0
  let reportedMs = -Infinity
  return { notify, run }

  function notify(): void {
    isNotified = true
    pace.found()
    wakeUp.wake()
  }

  async function run(signal: AbortSignal): Promise<void> {
    // Room for rows that wait.
    const unsubscribe = hints.subscribe('dispatch', notify)
    await dispatchAll(signal)
    unsubscribe()
  }

  async function dispatchAll(signal: AbortSignal): Promise<void> {
    const underWay = new Set<Promise<void>>()
    let failures = 0
    while (!signal.aborted) {
      if (!(await breaker.pass(signal))) continue
      emptyClaims = isNotified ? emptyClaims + 1 : 0
      isNotified = false
      const claimed = await claim()
      if (claimed === null) {
        failures += 1
        await wakeUp.pause(backoffMs(failures, effects.random()), signal)
        continue
      }
      failures = 0
      if (claimed.rows.length > 0) {
        pace.found()
        emptyClaims = 0
      }
      for (const row of claimed.rows) {
        if (!inFlight.add(row)) continue
        const done = dispatchRow(row).finally(() => underWay.delete(done))
        underWay.add(done)
      }
      isSaturated = claimed.isFull && !inFlight.hasRoom()
      if (isSaturated) await wakeUp.wait(saturatedMs, signal)
      else if (emptyClaims >= mostEmptyClaims) await wakeUp.pause(fullMs, signal)
      else if (!claimed.isFull) await wakeUp.wait(pace.nextMs(), signal)
    }
    await Promise.all(underWay)
  }

  /** null if the database is unavailable. */
  async function claim(): Promise<{ rows: UndispatchedCommand[]; isFull: boolean } | null> {
    const room = inFlight.claim()
    if (room === null) return { rows: [], isFull: true }
    // Rows in flight have no resource yet and would not count.
    const liveLimit = deps.liveCommands - inFlight.size()
    try {
      const rows = await effects.failpoint('dispatch.rows_claimed', () =>
        deps.store.claimUndispatched({
          ...room,
          liveLimit,
          lookAhead: deps.lookAhead,
          leaseSeconds,
        }),
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
    if (isSaturated && inFlight.hasRoom()) wakeUp.wake()
  }

  /** An outage of an hour is a line a minute. */
  function reportClaim(error: unknown): void {
    deps.metrics.counted('claim_failed')
    if (clock.monotonicMs() - reportedMs < reportEveryMs) return
    reportedMs = clock.monotonicMs()
    logger.warn('cannot claim rows to dispatch', { error })
  }
}
