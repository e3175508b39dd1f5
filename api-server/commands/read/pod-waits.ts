import { waitRecord } from './wait-record.ts'
import type { CommandTimeline } from '../../../common/openapi/openapi-types.ts'
import type { RecordedTimeline } from '../../../common/store/command-states.ts'

/** Times of Kubernetes are whole seconds, so two of them may differ by one for no wait. */
const leastMs = 2_000

/**
 * Waits of the pods of attempts. The durations are of Kubernetes, and begin at what was recorded by the clock of the
 * database; they end with the first request of the runner at the latest.
 * @param beganAt when an attempt may first have had a pod; null for one that is not known
 */
export function podWaits(
  { attempts, podStarts }: RecordedTimeline,
  beganAt: (index: number) => Date | null,
): CommandTimeline['waits'] {
  return podStarts.flatMap(({ attempt, nodeSeconds, sandboxSeconds }) => {
    const from = beganAt(attempt - 1)?.getTime() ?? null
    const claimedAt = attempts[attempt - 1]?.claimedAt
    if (from === null || claimedAt === undefined) return []
    const end = new Date(claimedAt).getTime()
    const at = (seconds: number): number => Math.min(end, from + 1_000 * seconds)
    const scheduled = at(nodeSeconds)
    const pulling = sandboxSeconds === null ? end : at(sandboxSeconds)
    return [
      ...waitOf('NODE', from, scheduled),
      ...waitOf('IMAGE', Math.max(scheduled, pulling), end),
    ]
  })
}

function waitOf(reason: 'NODE' | 'IMAGE', from: number, to: number) {
  if (to - from < leastMs) return []
  return [waitRecord(reason, new Date(from), new Date(to))]
}
