import type { ResultKeeper } from '../apply/result-keeper.ts'
import { createPacedLoop, createLoop } from '../../common/runtime/loop.ts'
import type { Loop } from '../../common/runtime/loop.ts'
import type { SweepPass } from '../loops/drain.ts'
import { createLogStorage } from '../loops/store-logs.ts'
import { createFinishedSweep } from '../loops/sweep/sweep-finished.ts'
import type { FinishedSweepDeps } from '../loops/sweep/sweep-finished.ts'
import { createObjectSweep } from '../loops/sweep/sweep-objects.ts'
import type { KeyLocks } from '../machinery/key-locks.ts'
import type { ControllerDeps } from './controller-deps.ts'
import { createFigures } from './figures.ts'

interface Deps {
  readonly controller: ControllerDeps
  readonly apply: Omit<FinishedSweepDeps, 'locked'>
  readonly results: ResultKeeper
  readonly locked: KeyLocks
  /** Resolves when a database that lost commits has been compared with the cluster and the bucket. */
  readonly compared: (signal: AbortSignal) => Promise<void>
}

/** The loops that delete and count: no command waits for them. */
export function createUpkeep({ controller, apply, results, locked, compared }: Deps): Loop[] {
  const { caches, effects, logger, metrics, settings, store } = controller
  const loop = (
    name: string,
    everyMs: number,
    work: (signal: AbortSignal) => Promise<void>,
  ): Loop => createLoop({ name, everyMs, work, effects, logger })
  /** Deletes nothing that a database which lost commits takes for garbage. */
  const afterComparison =
    (pass: SweepPass): SweepPass =>
    async (signal) => {
      await compared(signal)
      return pass(signal)
    }
  /** Does not pause while a backlog is left. */
  const draining = (
    name: string,
    everyMs: number,
    pass: SweepPass,
    longestMs: number = everyMs,
  ): Loop => {
    const sweep = createPacedLoop({
      name,
      everyMs,
      effects,
      logger,
      longestMs: () => longestMs,
      async work(signal) {
        const result = await pass(signal)
        if (result === 'behind') sweep.wake()
        return result !== 'idle'
      },
    })
    return sweep
  }
  const readFigures = createFigures({ store, caches, clock: effects.clock, metrics })
  return [
    draining(
      'sweep',
      15_000,
      afterComparison(createFinishedSweep({ ...apply, locked }, settings.finished)),
    ),
    draining(
      'sweep-objects',
      60_000,
      afterComparison(
        createObjectSweep({ ...controller, results }, settings.sweepObjectsAfterSeconds),
      ),
    ),
    draining('sweep-orphans', 60_000, afterComparison(controller.housekeeping.sweepOrphans)),
    draining('logs', 2_000, createLogStorage(controller), 10_000),
    draining('sweep-files', 10_000, afterComparison(controller.housekeeping.sweepFiles)),
    loop('retention', 60_000, async (signal) => {
      await compared(signal)
      await controller.housekeeping.retention(signal)
    }),
    ...(controller.noticeForeign === null
      ? []
      : [loop('foreign', 60_000, controller.noticeForeign)]),
    loop('figures', 15_000, async (signal) => {
      await readFigures()
      await compared(signal)
    }),
  ]
}
