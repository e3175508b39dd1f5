import { backoff } from '../../common/runtime/backoff.ts'
import { isFinal } from '../../common/domain/states.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { Elapsed } from '../decide/snapshot.ts'
import type { Refusal } from '../status/refusal.ts'

/**
 * What the leader remembers about commands between two reconciles, all of it disposable: since when
 * a condition has held, on its own monotonic clock. Clocks of hosts differ, so no timestamp of an
 * object is ever compared with this host's; after a restart a wait starts again from zero.
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
  /** The row has changed, which a reconcile shows later. */
  statusNoticed(commandId: string): void
  statusWritten(commandId: string): void
  statusShown(commandId: string): void
  /** @returns whether one more wait may be published as an Event; the call counts it */
  mayPublishWait(commandId: string): boolean
  /** Whether the result object of its SUCCESS is stored. */
  isResultKept(commandId: string): boolean
  resultKept(commandId: string): void
  /** Its end is recorded, and no pod holds vCPUs for it. */
  isReleased(commandId: string): boolean
  released(commandId: string): void
  refusal(commandId: string, round: number): Refusal | null
  /** How long its Job had had no pod at its last reconcile; it is due again soon. */
  secondsWithoutPod(commandId: string): number
  /**
   * @param random in [0, 1), for the wait until the next try
   * @returns that wait in milliseconds
   */
  refused(commandId: string, round: number, refusal: Refusal | null, random?: number): number
  /** What is left of that wait; 0: the Job may be created. */
  refusedForMs(commandId: string, round: number): number
  /** The API server rejected the resize of the standby's pod. */
  resizeRefused(commandId: string, podUid: string, message: string): void
  /** The API server accepted the resize, but an admission policy changed the size. */
  sizeSettled(commandId: string, podUid: string): void
  forget(commandId: string): void
}

/** A policy or a quota that lets the Job pass again is noticed within the longest wait. */
const refusedAgain = { first: 5_000, longest: 30_000, jitter: [1, 1.25] } as const
/** If a command's reason alternates, only the status shows the latest. */
const maxWaitsPublished = 3

interface Memory {
  finalMs: number | null
  withoutPodMs: number | null
  placed: { readonly podUid: string; readonly sinceMs: number } | null
  startableMs: number | null
  podDeletionMs: Map<string, number>
  statusPendingMs: number | null
  statusWrittenMs: number | null
  waitsPublished: number
  isResultKept: boolean
  isReleased: boolean
  refusal: { round: number; refusal: Refusal; times: number; untilMs: number } | null
  resizeRefusal: { podUid: string; message: string } | null
  settledPodUid: string | null
  unresizedMs: number | null
  /** The last one that was reported. */
  resizePending: { readonly podUid: string; readonly reason: string } | null
  attempt: { readonly podUid: string; readonly sinceMs: number } | null
}

/** @param onResizePending a node has not given a standby the size of its command, once for each reason that it has */
export function createCommandMemory(
  clock: Clock,
  onResizePending: (reason: string) => void = () => undefined,
): CommandMemory {
  const memories = new Map<string, Memory>()
  return {
    elapsed(commandId, { row, jobs, pods }) {
      const memory = of(commandId)
      const now = clock.monotonicMs()
      memory.finalMs = since(memory.finalMs, row !== null && isFinal(row.status), now)
      const job = jobs.find(({ round }) => round === row?.round)
      const isSuspended = job?.suspended === true
      const waits = job !== undefined && !job.finished && !isSuspended
      const living = pods.some((pod) => !isTerminal(pod))
      memory.withoutPodMs = since(memory.withoutPodMs, waits && !living, now)
      const placed = placedPod(row, pods)?.metadata.uid ?? null
      if (placed === null) memory.placed = null
      else if (memory.placed?.podUid !== placed) memory.placed = { podUid: placed, sinceMs: now }
      memory.startableMs = since(memory.startableMs, !isSuspended, now)
      const podUid = row?.attempt ?? null
      if (podUid !== (memory.attempt?.podUid ?? null)) {
        memory.attempt = podUid === null ? null : { podUid, sinceMs: now }
      }
      const attempt = pods.find(({ metadata }) => metadata.uid === row?.attempt)
      const refused = memory.resizeRefusal
      const resizeRefusal =
        refused !== null && refused.podUid === row?.attempt ? refused.message : null
      const pending = attempt?.standby?.resizePending ?? null
      notePending(memory, row?.attempt ?? null, pending?.reason ?? null)
      const isUnresized = pending !== null || resizeRefusal !== null
      memory.unresizedMs = since(memory.unresizedMs, isUnresized, now)
      memory.podDeletionMs = new Map(
        pods
          .filter((pod) => pod.deletion !== null)
          .map(({ metadata }) => [metadata.uid, memory.podDeletionMs.get(metadata.uid) ?? now]),
      )
      return {
        sinceFinal: secondsSince(memory.finalMs, now),
        withoutPod: secondsSince(memory.withoutPodMs, now),
        placed: secondsSince(memory.placed?.sinceMs ?? null, now),
        startable: secondsSince(memory.startableMs, now),
        sinceAttempt: secondsSince(memory.attempt?.sinceMs ?? null, now),
        unresized: memory.unresizedMs === null ? null : secondsSince(memory.unresizedMs, now),
        resizeRefusal,
        isSizeSettled: memory.settledPodUid !== null && memory.settledPodUid === row?.attempt,
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
    statusNoticed(commandId) {
      of(commandId).statusPendingMs ??= clock.monotonicMs()
    },
    statusWritten(commandId) {
      of(commandId).statusWrittenMs = clock.monotonicMs()
      of(commandId).statusPendingMs = null
    },
    statusShown(commandId) {
      of(commandId).statusPendingMs = null
    },
    mayPublishWait(commandId) {
      const memory = of(commandId)
      memory.waitsPublished += 1
      return memory.waitsPublished <= maxWaitsPublished
    },
    isResultKept: (commandId) => of(commandId).isResultKept,
    resultKept(commandId) {
      of(commandId).isResultKept = true
    },
    isReleased: (commandId) => memories.get(commandId)?.isReleased === true,
    released(commandId) {
      of(commandId).isReleased = true
    },
    secondsWithoutPod(commandId) {
      return secondsSince(memories.get(commandId)?.withoutPodMs ?? null, clock.monotonicMs())
    },
    refusal(commandId, round) {
      const { refusal } = of(commandId)
      return refusal?.round === round ? refusal.refusal : null
    },
    refused(commandId, round, refusal, random = 0) {
      const memory = of(commandId)
      const last = memory.refusal
      memory.refusal = null
      if (refusal === null) return 0
      const times = last?.round === round ? last.times + 1 : 1
      const waitMs = backoff(refusedAgain, times, random)
      memory.refusal = { round, refusal, times, untilMs: clock.monotonicMs() + waitMs }
      return waitMs
    },
    refusedForMs(commandId, round) {
      const last = memories.get(commandId)?.refusal ?? null
      return last?.round === round ? Math.max(0, last.untilMs - clock.monotonicMs()) : 0
    },
    resizeRefused(commandId, podUid, message) {
      of(commandId).resizeRefusal = { podUid, message }
    },
    sizeSettled(commandId, podUid) {
      of(commandId).settledPodUid = podUid
    },
    forget: (commandId) => void memories.delete(commandId),
  }

  function notePending(memory: Memory, podUid: string | null, reason: string | null): void {
    const { resizePending: last } = memory
    if (podUid === null || reason === null) return
    if (last?.podUid === podUid && last.reason === reason) return
    memory.resizePending = { podUid, reason }
    onResizePending(reason)
  }

  function of(commandId: string): Memory {
    const known = memories.get(commandId)
    if (known !== undefined) return known
    const memory: Memory = {
      finalMs: null,
      withoutPodMs: null,
      placed: null,
      startableMs: null,
      podDeletionMs: new Map(),
      statusPendingMs: null,
      statusWrittenMs: null,
      waitsPublished: 0,
      isResultKept: false,
      isReleased: false,
      refusal: null,
      resizeRefusal: null,
      settledPodUid: null,
      unresizedMs: null,
      resizePending: null,
      attempt: null,
    }
    memories.set(commandId, memory)
    return memory
  }
}

/** The living pod of the round that a node has. */
function placedPod(row: ReconcileRow | null, pods: readonly PodFacts[]): PodFacts | undefined {
  return pods.find(
    (pod) =>
      pod.round === row?.round &&
      pod.node !== null &&
      !isTerminal(pod) &&
      !row.lostAttempts.includes(pod.metadata.uid),
  )
}

function since(beforeMs: number | null, holds: boolean, nowMs: number): number | null {
  return holds ? (beforeMs ?? nowMs) : null
}

function secondsSince(atMs: number | null, nowMs: number): number {
  return atMs === null ? 0 : (nowMs - atMs) / 1000
}
