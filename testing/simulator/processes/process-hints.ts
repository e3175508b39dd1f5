import { createHintBus } from '../../../common/database/hints/hint-bus.ts'
import type { Hint, WorkHints } from '../../../common/store/hints.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import type { World } from '../world/world.ts'

/** Notifications reach each process that runs, except those that get lost on the way: half of them. */
export function hintsOf(
  process: SimulatedProcess,
  { clock, hintBuses }: Pick<World, 'clock' | 'hintBuses'>,
  { effects, random }: { readonly effects: Effects; readonly random: Random },
): WorkHints & { readonly give: (hint: Hint) => void } {
  const bus = createHintBus(process.clock, (hints) =>
    effects.failpoint('hints.sent', () => process.reach(() => notifyAll(hints))),
  )
  hintBuses.set(process, bus)
  process.killed.addEventListener('abort', () => hintBuses.delete(process))
  return { ...bus, shortestMs: () => 1_000, longestMs: () => 5_000 }

  async function notifyAll(hints: readonly Hint[]): Promise<void> {
    for (const [member, { receive }] of hintBuses) {
      if (!member.isAlive() || random.chance(0.5)) continue
      clock.schedule(random.between(0.3, 20), () => {
        void member.running().then(() => hints.forEach(receive))
      })
    }
  }
}
