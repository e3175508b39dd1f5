import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { effect } from '../apply/apply-context.ts'
import { isSuspendedByQueue } from '../observe/job-facts.ts'
import { jobUidLabel } from './workloads.ts'
import { workloadMessage } from './workload-message.ts'
import type { Resource } from '../../common/kubernetes/resources/resource.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Term } from '../machinery/election/leader.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { Workload } from './workloads.ts'

/** What Kueue says about commands whose Jobs it has not resumed. */
export interface WorkloadMessages {
  /**
   * What the command waits for; null: unknown.
   * @param shown what its status says about that already: a new leader has read nothing yet
   */
  messageOf(commandId: string, shown: string | null): string | null
  /** Reads the Workloads of one namespace that are due, by one request at most. */
  round(signal: AbortSignal): Promise<void>
}

export interface WorkloadMessagesDeps {
  /** null: the operator may not read Workloads. */
  readonly workloads: Pick<Resource<Workload>, 'listPage' | 'parse'> | null
  readonly caches: { readonly jobs: { list(): readonly JobFacts[] } }
  /** The message of a command has changed. */
  readonly changed: (commandId: string) => void
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly logger: Logger
}

interface Waiting {
  readonly namespace: string
  readonly jobUid: string
  /** null: not yet, as Kueue resumes at once what has room. */
  readMs: number | null
  message: string | null
}

/** A message seldom changes what people do, so it may be a minute old. */
const readAgainMs = 60_000
/** Without the permission, or without Workloads in this version. */
const refusedMs = 5 * 60_000
/** 37 bytes each in the query of the request, and up to some KiB in its answer. */
const perRound = 50

/**
 * Workloads are selected by the uids of suspended Jobs, 50 in one LIST, and not watched: a watch would send
 * each change of each Workload, with the whole pod template, also of Jobs that start at once.
 */
export function createWorkloadMessages(deps: WorkloadMessagesDeps): WorkloadMessages {
  const { caches, effects, logger, workloads } = deps
  const { clock } = effects
  const waiting = new Map<string, Waiting>()
  const refusedUntilMs = new Map<string, number>()
  let isReported = false
  return {
    messageOf: (commandId, shown) =>
      workloads === null ? null : (waiting.get(commandId)?.message ?? shown),
    async round(signal) {
      if (workloads === null) return
      const due = follow()
      if (due.size === 0) return
      const found = await read(workloads, [...due.values()], signal)
      if (found === null) return
      for (const [commandId, job] of due) {
        job.readMs = clock.monotonicMs()
        const message = found.get(job.jobUid) ?? job.message
        if (message === job.message) continue
        job.message = message
        deps.changed(commandId)
      }
    },
  }

  /** @returns by command what was suspended in an earlier round already, where the longest unread is */
  function follow(): ReadonlyMap<string, Waiting> {
    const suspended = new Map(
      caches.jobs
        .list()
        .filter((job) => isSuspendedByQueue(job) && !job.deleting)
        .flatMap(({ commandId, metadata }) =>
          commandId === null ? [] : [[commandId, metadata] as const],
        ),
    )
    for (const [commandId, { jobUid }] of waiting) {
      if (suspended.get(commandId)?.uid !== jobUid) waiting.delete(commandId)
    }
    const untilMs = clock.monotonicMs() - readAgainMs
    const due = [...waiting]
      .filter(([, { readMs }]) => readMs === null || readMs <= untilMs)
      .filter(([, { namespace }]) => clock.monotonicMs() >= (refusedUntilMs.get(namespace) ?? 0))
      .toSorted(([, a], [, b]) => (a.readMs ?? -Infinity) - (b.readMs ?? -Infinity))
    for (const [commandId, { namespace, uid: jobUid }] of suspended) {
      if (waiting.has(commandId)) continue
      waiting.set(commandId, { namespace, jobUid, readMs: null, message: null })
    }
    const namespace = due[0]?.[1].namespace
    return new Map(due.filter(([, job]) => job.namespace === namespace).slice(0, perRound))
  }

  /** @returns messages by the uid of the Job; null if the API server does not let the operator read them */
  async function read(
    resource: NonNullable<WorkloadMessagesDeps['workloads']>,
    jobs: readonly Waiting[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, string> | null> {
    const namespace = jobs[0]?.namespace ?? ''
    const labelSelector = `${jobUidLabel} in (${jobs.map(({ jobUid }) => jobUid).join(',')})`
    try {
      const { items } = await effect(deps, 'operator.workloads_read', () =>
        resource.listPage({ namespace, labelSelector, lane: 'tidy', signal }),
      )
      isReported = false
      return new Map(
        items.flatMap((item) => {
          const workload = resource.parse(item)
          const message = workloadMessage(workload)
          const jobUid = workload.metadata.labels?.[jobUidLabel]
          return message === null || jobUid === undefined ? [] : [[jobUid, message]]
        }),
      )
    } catch (error) {
      if (!isKubeError(error, 'forbidden', 'absent')) throw error
      refusedUntilMs.set(namespace, clock.monotonicMs() + refusedMs)
      report(error)
      return null
    }
  }

  function report(error: unknown): void {
    if (isReported) return
    isReported = true
    logger.warn(
      'cannot read the Workloads of Kueue: commands do not show what they wait for there',
      { error },
    )
  }
}
