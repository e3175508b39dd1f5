import type { Failpoint, FailpointName } from '../../../common/runtime/effects.ts'
import type { SimulatedProcess } from './process.ts'
import type { Trace } from './trace.ts'

export type CrashAction = 'crash-before' | 'crash-after' | 'twice'

/** Which meetings with which failpoints end a process, in any of the processes. */
export interface CrashPlan {
  /** @param skip meetings that pass before */
  arm(name: FailpointName, action: CrashAction, skip: number): void
  /** @returns the action at this meeting; armed actions act once */
  meet(name: FailpointName): CrashAction | null
  /** Actions that happened, as `name=action`. */
  readonly fired: readonly string[]
  disarm(): void
}

export function createCrashPlan(): CrashPlan {
  let armed: { name: FailpointName; action: CrashAction; skip: number }[] = []
  const fired: string[] = []
  return {
    arm: (name, action, skip) => void armed.push({ name, action, skip }),
    meet(name) {
      const found = armed.find((entry) => entry.name === name)
      if (found === undefined) return null
      found.skip -= 1
      if (found.skip >= 0) return null
      armed = armed.filter((entry) => entry !== found)
      fired.push(`${name}=${found.action}`)
      return found.action
    },
    fired,
    disarm() {
      armed = []
    },
  }
}

/** Failpoints of one process. Of a dead one nothing comes back. */
export function failpointOf(
  process: SimulatedProcess,
  { plan, trace, crash }: { plan: CrashPlan; trace: Trace; crash: () => void },
): Failpoint {
  return async (name, effect) => {
    await process.running()
    const action = plan.meet(name)
    if (action !== null) trace.add(process.name, `${action} ${name}`)
    if (action === 'crash-before') return die()
    const result = await effect()
    if (action === 'crash-after') return die()
    return action === 'twice' ? effect() : result
  }

  function die(): Promise<never> {
    crash()
    return new Promise(() => undefined)
  }
}
