import type { QueuedJob } from './queued-job.ts'

export interface Decisions {
  readonly resumed: readonly QueuedJob[]
  /** To be suspended, so that one of a higher priority has room. */
  readonly evicted: readonly QueuedJob[]
  /** What the Workload of each other Job says, by the name of the Job. */
  readonly waiting: ReadonlyMap<string, string>
}

/**
 * What happens to the Jobs now. Room is taken by Jobs that are resumed, and by the pods of one that is suspended
 * again until they are gone (Kueue frees it when they begin to terminate). A Job that does not fit is passed by
 * smaller ones (BestEffortFIFO), unless it waits for the room of Jobs of a lower priority.
 * @param quotas vCPUs by queue; a queue that is not there admits nothing
 */
export function admit(jobs: readonly QueuedJob[], quotas: ReadonlyMap<string, number>): Decisions {
  const parts = [...Map.groupBy(jobs, ({ queue }) => queue)].map(([queue, members]) => {
    const quota = quotas.get(queue)
    return quota === undefined ? withoutQueue(queue, members) : admitIn(members, quota)
  })
  return {
    resumed: parts.flatMap(({ resumed }) => resumed),
    evicted: parts.flatMap(({ evicted }) => evicted),
    waiting: new Map(parts.flatMap(({ waiting }) => [...waiting])),
  }
}

function withoutQueue(queue: string, members: readonly QueuedJob[]): Decisions {
  const message = `LocalQueue ${queue} doesn't exist`
  const waiting = new Map(members.filter(isQueued).map(({ name }) => [name, message]))
  return { resumed: [], evicted: [], waiting }
}

function admitIn(members: readonly QueuedJob[], quota: number): Decisions {
  const taking = members.filter(takesRoom)
  const resumed: QueuedJob[] = []
  const waiting = new Map<string, string>()
  let free = quota - sumOfVcpus(taking)
  let preempted: readonly QueuedJob[] | null = null
  for (const job of members.filter(isQueued).toSorted(firstInLine)) {
    if (preempted === null && job.vcpus <= free) {
      free -= job.vcpus
      resumed.push(job)
    } else {
      waiting.set(job.name, insufficient(job, free))
      preempted ??= preemptedFor(job, free, taking)
    }
  }
  const evicted = (preempted ?? []).filter(({ suspended }) => !suspended)
  return { resumed, evicted, waiting }
}

/**
 * The Jobs whose room this one gets, least priority first, of equal ones the youngest; those that are suspended
 * already before all others. Null where they are not enough.
 */
function preemptedFor(
  job: QueuedJob,
  free: number,
  taking: readonly QueuedJob[],
): readonly QueuedJob[] | null {
  const chosen: QueuedJob[] = []
  let room = free
  for (const victim of taking.filter(({ priority }) => priority < job.priority).toSorted(cheaper)) {
    if (room >= job.vcpus) break
    room += victim.vcpus
    chosen.push(victim)
  }
  return room >= job.vcpus ? chosen : null
}

function cheaper(a: QueuedJob, b: QueuedJob): number {
  if (a.suspended !== b.suspended) return a.suspended ? -1 : 1
  return a.priority - b.priority || (a.createdAt > b.createdAt ? -1 : 1)
}

function isQueued({ suspended, ended, livingPods }: QueuedJob): boolean {
  return suspended && !ended && livingPods === 0
}

function takesRoom({ suspended, ended, livingPods }: QueuedJob): boolean {
  return livingPods > 0 || (!suspended && !ended)
}

function firstInLine(a: QueuedJob, b: QueuedJob): number {
  return b.priority - a.priority || (a.createdAt < b.createdAt ? -1 : 1)
}

function sumOfVcpus(jobs: readonly QueuedJob[]): number {
  return jobs.reduce((sum, { vcpus }) => sum + vcpus, 0)
}

function insufficient({ vcpus }: QueuedJob, free: number): string {
  return `insufficient unused quota for cpu in flavor default, ${Math.max(0, vcpus - free)} more needed`
}
