import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import type { KubeEvent } from '../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { JobFacts } from './job-facts.ts'

/** Why pods of Jobs were not created, as the Job controller says in Events: the Job itself does not show it. */
export interface PodRefusals {
  /** The newest words about this Job; null: there are none, or the operator may not read them. */
  messageOf(job: JobFacts): Promise<string | null>
  /** Refusal that was read last; null: none. */
  lastOf(job: JobFacts): string | null
}

interface Known {
  readonly readMs: number
  readonly message: string | null
}

/** Reconciles come more often than the Job controller tries again. */
const readAgainMs = 9_000
const longestMessage = 500
/** An Event is one of a series, so a Job has few of them. */
const mostEvents = 20

export function createPodRefusals(deps: {
  readonly events: Pick<Resource<KubeEvent>, 'listPage' | 'parse'>
  readonly clock: Clock
  readonly logger: Logger
}): PodRefusals {
  const { events, clock, logger } = deps
  const known = new Map<string, Known>()
  let isReported = false
  return {
    lastOf: ({ metadata }) => known.get(metadata.uid)?.message ?? null,
    async messageOf({ metadata: { namespace, uid } }) {
      forgetOld()
      const last = known.get(uid)
      if (last !== undefined && clock.monotonicMs() - last.readMs < readAgainMs) return last.message
      const message = (await read(namespace, uid)) ?? last?.message ?? null
      known.set(uid, { readMs: clock.monotonicMs(), message })
      return message
    },
  }

  async function read(namespace: string, jobUid: string): Promise<string | null> {
    const fieldSelector = `regarding.uid=${jobUid},reason=FailedCreate`
    try {
      const query = { namespace, fieldSelector, limit: mostEvents, lane: 'tidy' as const }
      const { items } = await events.listPage(query)
      const newest = items.map(events.parse).toSorted(byTime).at(-1)
      return newest?.note?.slice(0, longestMessage) ?? null
    } catch (error) {
      if (!isKubeError(error)) throw error
      if (isKubeError(error, 'forbidden') && !isReported) {
        isReported = true
        logger.warn('cannot list Events: commands do not show why their pods are refused', {
          error,
        })
      }
      return null
    }
  }

  /** A Job that is not asked about any more has its pod, or is gone. */
  function forgetOld(): void {
    const untilMs = clock.monotonicMs() - 4 * readAgainMs
    for (const [uid, { readMs }] of known) if (readMs < untilMs) known.delete(uid)
  }
}

function byTime(one: KubeEvent, other: KubeEvent): number {
  return Date.parse(one.lastAt ?? '') - Date.parse(other.lastAt ?? '')
}
