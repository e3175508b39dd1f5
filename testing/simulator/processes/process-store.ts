import { sleep } from '../../../common/runtime/effects.ts'
import type { LifecycleStore } from '../../../common/store/store.ts'
import type { SimulatedProcess } from '../world/process.ts'
import type { Random } from '../../support/random.ts'
import type { World } from '../world/world.ts'

/** The database as one process reaches it: a statement takes its time on the way, outliving its sender. */
export function storeOf(
  process: SimulatedProcess,
  { store, clock }: Pick<World, 'store' | 'clock'>,
  random: Random,
): LifecycleStore {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return (...args: unknown[]): Promise<unknown> =>
        process.reach(async () => {
          await sleep(clock, random.between(0.3, 2))
          const answer: unknown = await Reflect.apply(method, target, args)
          return answer
        })
    },
  })
}

/** A request to a process. The connection breaks when the process dies before it has answered. */
export function connection<T>(process: SimulatedProcess, answer: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onKill = (): void => reject(new Error('connection reset'))
    process.killed.addEventListener('abort', onKill, { once: true })
    process
      .reach(answer)
      .finally(() => process.killed.removeEventListener('abort', onKill))
      .then(resolve, reject)
  })
}
