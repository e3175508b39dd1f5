import type { Clock } from '../../../common/runtime/effects.ts'

/**
 * A process that can be killed and stopped. Code cannot be taken off the event loop, so all that it
 * does outside passes here: of a dead process no effect begins and no answer arrives, so its code
 * never continues; a stopped one goes on from there when it is resumed. Effects that
 * were under way at the moment of death still happen, as a request that is on the wire does.
 */
export interface SimulatedProcess {
  /** Unique: a process that is started again is another one. */
  readonly name: string
  /** Timers fall silent with the process; time itself goes on while it is stopped. */
  readonly clock: Clock
  readonly killed: AbortSignal
  isAlive(): boolean
  kill(): void
  pause(): void
  resume(): void
  /** An effect and its answer. */
  reach<T>(effect: () => Promise<T>): Promise<T>
  /** Resolves while the process runs, after its resumption, or never. */
  running(): Promise<void>
}

export function createProcess(name: string, world: Clock): SimulatedProcess {
  const killed = new AbortController()
  const timers = new Set<() => void>()
  let resumed: PromiseWithResolvers<undefined> | null = null

  const clock: Clock = {
    monotonicMs: () => world.monotonicMs(),
    wall: () => world.wall(),
    schedule(delayMs, callback) {
      if (killed.signal.aborted) return () => undefined
      let isCancelled = false
      const cancel = world.schedule(delayMs, () => {
        timers.delete(cancel)
        if (resumed === null) return callback()
        void afterwards(callback, () => isCancelled)
      })
      timers.add(cancel)
      return () => {
        isCancelled = true
        timers.delete(cancel)
        cancel()
      }
    },
  }

  return {
    name,
    clock,
    killed: killed.signal,
    isAlive: () => !killed.signal.aborted,
    kill() {
      killed.abort(new Error(`${name} is dead`))
      for (const cancel of timers) cancel()
      timers.clear()
    },
    pause() {
      resumed ??= Promise.withResolvers()
    },
    resume() {
      resumed?.resolve(undefined)
      resumed = null
    },
    running,
    async reach(effect) {
      if (isStopped()) await running()
      try {
        return await effect()
      } finally {
        if (isStopped()) await running()
      }
    },
  }

  function isStopped(): boolean {
    return resumed !== null || killed.signal.aborted
  }

  async function afterwards(callback: () => void, isCancelled: () => boolean): Promise<void> {
    await running()
    if (!isCancelled()) callback()
  }

  async function running(): Promise<void> {
    while (resumed !== null && !killed.signal.aborted) await resumed.promise
    if (killed.signal.aborted) await new Promise(() => undefined)
  }
}
