import type { Clock } from '../../common/runtime/effects.ts'
import type { Caches } from '../observe/caches.ts'
import { isTerminal } from '../observe/pod-facts.ts'

export interface QuotaDifferences {
  /** Commands that hold vCPUs in the database and have neither a Job nor a pod. */
  readonly unused: number
  /** Commands with a Job or a pod that hold none: the cluster runs more than the database counts. */
  readonly uncounted: number
}

/** Starts and ends are visible in the cluster and in the database at different times. */
const settledMs = 120_000

/** Compares what the database counts with what the cluster runs; a difference counts once it is two minutes old. */
export function createQuotaDifferences(
  caches: {
    readonly jobs: Pick<Caches['jobs'], 'list'>
    readonly pods: Pick<Caches['pods'], 'list'>
  },
  clock: Clock,
): (holding: readonly string[]) => QuotaDifferences {
  let since = new Map<string, number>()
  return (holding) => {
    const nowMs = clock.monotonicMs()
    const held = new Set(holding)
    const running = runningCommands(caches)
    const differing = [...held.symmetricDifference(running)]
    since = new Map(differing.map((commandId) => [commandId, since.get(commandId) ?? nowMs]))
    const settled = differing.filter((id) => nowMs - (since.get(id) ?? nowMs) >= settledMs)
    const unused = settled.filter((id) => held.has(id)).length
    return { unused, uncounted: settled.length - unused }
  }
}

function runningCommands({
  jobs,
  pods,
}: Parameters<typeof createQuotaDifferences>[0]): Set<string> {
  const live = [
    ...jobs.list().filter(({ finished }) => !finished),
    ...pods.list().filter((pod) => !isTerminal(pod)),
  ]
  return new Set(live.flatMap(({ commandId }) => commandId ?? []))
}
