import type { StageName, StageTime } from '../../../common/store/lifecycle/stage-times.ts'
import type { PodFacts } from '../../observe/pod-facts.ts'

/**
 * The time from its pod's creation until an attempt began. Kubernetes gives whole seconds, by two clocks; a time
 * that is not known yet is left out, and a clock that was set back counts as 0.
 * @param claimedAt null: not known
 */
export function podStages(pod: PodFacts, claimedAt: Date | null): StageTime[] {
  // A runner that waited for its command has started before it.
  if (pod.standby !== null) return []
  const [created, scheduled, started] = [
    pod.times.created,
    pod.times.scheduled,
    pod.times.started,
  ].map((time) => (time === null ? NaN : Date.parse(time)))
  const spans: readonly (readonly [StageName, number | undefined, number | undefined])[] = [
    ['schedule', created, scheduled],
    ['pod_start', scheduled, started],
    ['assign', started, claimedAt?.getTime()],
  ]
  return spans.flatMap(([stage, from = NaN, to = NaN]): StageTime[] => {
    const seconds = (to - from) / 1_000
    return Number.isNaN(seconds) ? [] : [{ stage, outcome: 'ok', seconds: Math.max(0, seconds) }]
  })
}
