import type {
  StageName,
  StageOutcome,
  StageTime,
} from '../../common/store/lifecycle/stage-times.ts'
import type { PodFacts } from './pod-facts.ts'

/**
 * The time from its pod's creation until an attempt began. Kubernetes gives whole seconds, by two clocks; a time
 * that is not known yet is left out, and a clock that was set back counts as 0.
 * @param claimedAt null: not known
 */
export function podStages(pod: PodFacts, claimedAt: Date | null): StageTime[] {
  // A runner that waited for its command has started before it.
  if (pod.warmRunner !== null) return []
  const begun = timesOf(pod)
  return order.flatMap((stage, index): StageTime[] => {
    const next = order[index + 1]
    const to = next === undefined ? (claimedAt?.getTime() ?? NaN) : begun[next]
    return Number.isNaN(to - begun[stage])
      ? []
      : [{ stage, outcome: 'ok', seconds: secondsBetween(begun[stage], to) }]
  })
}

/**
 * The stages of a pod that no attempt began on. The last one that it came to lasts until now, and has the outcome;
 * the clock is that of this process.
 */
export function startStages(pod: PodFacts, now: Date, outcome: StageOutcome): StageTime[] {
  if (pod.warmRunner !== null) return []
  const begun = timesOf(pod)
  const last = order.findLast((stage) => !Number.isNaN(begun[stage]))
  if (last === undefined) return []
  const seconds = secondsBetween(begun[last], now.getTime())
  return [...podStages(pod, null), { stage: last, outcome, seconds }]
}

const order = ['schedule', 'pod_start', 'assign'] as const satisfies readonly StageName[]

/** When each stage began; NaN: it has not. */
function timesOf({ times }: PodFacts): Readonly<Record<(typeof order)[number], number>> {
  const at = (time: string | null): number => (time === null ? NaN : Date.parse(time))
  return { schedule: at(times.created), pod_start: at(times.scheduled), assign: at(times.started) }
}

function secondsBetween(from: number, to: number): number {
  return Math.max(0, to - from) / 1_000
}
