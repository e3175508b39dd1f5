import { isFinal } from '../../common/domain/states.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { Elapsed, Refusal } from '../decide/snapshot.ts'

/**
 * What the leader remembers about commands between two looks, all of it disposable: since when
 * something has been so, on its own monotonic clock. Hosts disagree about the time, so no timestamp
 * of an object is ever compared with this host's; after a restart a wait begins anew.
 */
export interface CommandMemory {
  elapsed(
    commandId: string,
    seen: {
      readonly row: ReconcileRow | null
      readonly jobs: readonly JobFacts[]
      readonly pods: readonly PodFacts[]
    },
  ): Elapsed
  /** How long the wanted status has differed from the shown one, and since when it was written. */
  statusTimes(commandId: string): { pendingMs: number; sincePatchMs: number | null }
  statusWritten(commandId: string): void
  statusShown(commandId: string): void
  /** @returns whether a wait may be told once more; this counts it as told */
  mayTellWait(commandId: string): boolean
  refusal(commandId: string, round: number): Refusal | null
  refused(commandId: string, round: number, refusal: Refusal | null): void
  forget(commandId: string): void
}

/** Of a command whose reason goes to and fro the status alone tells the latest. */
const mostWaitsTold = 3

interface Memory {
  finalMs: number | null
  withoutPodMs: number | null
  podDeletionMs: Map<string, number>
  statusPendingMs: number | null
  statusWrittenMs: number | null
  waitsTold: number
  refusal: { round: number; refusal: Refusal } | null
}

export function createCommandMemory(clock: Clock): CommandMemory {
  const memories = new Map<string, Memory>()
  return {
    elapsed(commandId, { row, jobs, pods }) {
      const memory = of(commandId)
      const now = clock.monotonicMs()
      memory.finalMs = since(memory.finalMs, row !== null && isFinal(row.status), now)
      const waits = jobs.some((job) => job.round === row?.round && !job.finished)
      const living = pods.some((pod) => !isTerminal(pod))
      memory.withoutPodMs = since(memory.withoutPodMs, waits && !living, now)
      memory.podDeletionMs = new Map(
        pods
          .filter((pod) => pod.deletion !== null)
          .map(({ metadata }) => [metadata.uid, memory.podDeletionMs.get(metadata.uid) ?? now]),
      )
      return {
        sinceFinal: secondsSince(memory.finalMs, now),
        withoutPod: secondsSince(memory.withoutPodMs, now),
        podDeletion: new Map(
          [...memory.podDeletionMs].map(([uid, atMs]) => [uid, secondsSince(atMs, now)]),
        ),
      }
    },
    statusTimes(commandId) {
      const memory = of(commandId)
      const now = clock.monotonicMs()
      memory.statusPendingMs ??= now
      const { statusWrittenMs } = memory
      return {
        pendingMs: now - memory.statusPendingMs,
        sincePatchMs: statusWrittenMs === null ? null : now - statusWrittenMs,
      }
    },
    statusWritten(commandId) {
      of(commandId).statusWrittenMs = clock.monotonicMs()
      of(commandId).statusPendingMs = null
    },
    statusShown(commandId) {
      of(commandId).statusPendingMs = null
    },
    mayTellWait(commandId) {
      const memory = of(commandId)
      memory.waitsTold += 1
      return memory.waitsTold <= mostWaitsTold
    },
    refusal(commandId, round) {
      const { refusal } = of(commandId)
      return refusal?.round === round ? refusal.refusal : null
    },
    refused(commandId, round, refusal) {
      of(commandId).refusal = refusal === null ? null : { round, refusal }
    },
    forget: (commandId) => void memories.delete(commandId),
  }

  function of(commandId: string): Memory {
    const known = memories.get(commandId)
    if (known !== undefined) return known
    const memory: Memory = {
      finalMs: null,
      withoutPodMs: null,
      podDeletionMs: new Map(),
      statusPendingMs: null,
      statusWrittenMs: null,
      waitsTold: 0,
      refusal: null,
    }
    memories.set(commandId, memory)
    return memory
  }
}

function since(beforeMs: number | null, holds: boolean, nowMs: number): number | null {
  return holds ? (beforeMs ?? nowMs) : null
}

function secondsSince(atMs: number | null, nowMs: number): number {
  return atMs === null ? 0 : (nowMs - atMs) / 1000
}
