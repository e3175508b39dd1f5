import { createPace } from '../../common/runtime/pace.ts'
import { createEachItem } from '../../common/runtime/each-item.ts'
import { claimPause, claimed, claiming, firstClaim, notified } from './claim-pause.ts'
import { createClaimRows } from './claim-rows.ts'
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
  const claimRows = createClaimRows(deps, inFlight)
  let state = firstClaim
  return { notify, run }

  function notify(): void {
    state = notified(state)
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
      state = claiming(state)
      const found = await claimRows()
      if (found === null) {
        failures += 1
        await wakeUp.pause(backoffMs(failures, effects.random()), signal)
        continue
      }
      failures = 0
      const { rows, isFull } = found
      if (rows.length > 0) pace.found()
      for (const row of rows) {
        if (!inFlight.add(row)) continue
        const done = dispatchRow(row).finally(() => underWay.delete(done))
        underWay.add(done)
      }
      state = claimed(state, { rows: rows.length, isFull, hasRoom: inFlight.hasRoom() })
      const pause = claimPause(state, found, () => pace.nextMs())
      if (pause !== null) await wakeUp[pause.isWoken ? 'wait' : 'pause'](pause.ms, signal)
    }
    await Promise.all(underWay)
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
    if (state.isSaturated && inFlight.hasRoom()) wakeUp.wake()
  }
}
