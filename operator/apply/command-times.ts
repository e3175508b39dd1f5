import { isFinal } from '../../common/domain/states.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { isPresent, presentJob } from '../decide/snapshot.ts'
import type { Elapsed } from '../decide/snapshot.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal } from '../observe/pod-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'

/** Since when each condition of a command has held, by the leader's monotonic clock; null: it does not hold. */
export interface CommandTimes {
  readonly finalMs: number | null
  readonly withoutPodMs: number | null
  readonly placed: OfPod | null
  readonly startableMs: number | null
  readonly attempt: OfPod | null
  readonly unresizedMs: number | null
  /** The last one that was reported. */
  readonly resizePending: { readonly podUid: string; readonly reason: string } | null
  readonly podDeletionMs: ReadonlyMap<string, number>
}

/** Facts that a reconcile has found. */
export interface SeenCommand {
  readonly row: ReconcileRow | null
  readonly jobs: readonly JobFacts[]
  readonly pods: readonly PodFacts[]
}

interface OfPod {
  readonly podUid: string
  readonly sinceMs: number
}

export const noTimes: CommandTimes = {
  finalMs: null,
  withoutPodMs: null,
  placed: null,
  startableMs: null,
  attempt: null,
  unresizedMs: null,
  resizePending: null,
  podDeletionMs: new Map(),
}

/** @param isResizeRefused the API server has rejected the resize of the attempt's pod */
export function timesAfter(
  times: CommandTimes,
  { row, jobs, pods }: SeenCommand,
  isResizeRefused: boolean,
  nowMs: number,
): CommandTimes {
  const job = row === null ? null : presentJob(row, jobs)
  const isSuspended = job?.suspended === true
  const waits = job !== null && !job.finished && !isSuspended
  const lives = pods.some((pod) => !isTerminal(pod))
  const attempt = pods.find(({ metadata }) => metadata.uid === row?.attempt)
  const pending = attempt?.warmRunner?.resizePending?.reason ?? null
  const deleted = pods.filter(({ deletion }) => deletion !== null).map((pod) => pod.metadata.uid)
  return {
    finalMs: since(times.finalMs, row !== null && isFinal(row.status), nowMs),
    withoutPodMs: since(times.withoutPodMs, waits && !lives, nowMs),
    placed: ofPod(times.placed, placedPod(row, pods)?.metadata.uid ?? null, nowMs),
    startableMs: since(times.startableMs, !isSuspended, nowMs),
    attempt: ofPod(times.attempt, row?.attempt ?? null, nowMs),
    unresizedMs: since(times.unresizedMs, pending !== null || isResizeRefused, nowMs),
    resizePending: lastPending(times.resizePending, row?.attempt ?? null, pending),
    podDeletionMs: new Map(deleted.map((uid) => [uid, times.podDeletionMs.get(uid) ?? nowMs])),
  }
}

export function elapsedOf(
  times: CommandTimes,
  nowMs: number,
): Omit<Elapsed, 'resizeRefusal' | 'isSizeSettled'> {
  const { unresizedMs, podDeletionMs } = times
  return {
    sinceFinal: secondsSince(times.finalMs, nowMs),
    withoutPod: secondsSince(times.withoutPodMs, nowMs),
    placed: secondsSince(times.placed?.sinceMs ?? null, nowMs),
    startable: secondsSince(times.startableMs, nowMs),
    sinceAttempt: secondsSince(times.attempt?.sinceMs ?? null, nowMs),
    unresized: unresizedMs === null ? null : secondsSince(unresizedMs, nowMs),
    podDeletion: new Map([...podDeletionMs].map(([uid, atMs]) => [uid, secondsSince(atMs, nowMs)])),
  }
}

export function secondsSince(atMs: number | null, nowMs: number): number {
  return atMs === null ? 0 : (nowMs - atMs) / 1000
}

function since(beforeMs: number | null, holds: boolean, nowMs: number): number | null {
  return holds ? (beforeMs ?? nowMs) : null
}

function ofPod(before: OfPod | null, podUid: string | null, nowMs: number): OfPod | null {
  if (podUid === null) return null
  return before?.podUid === podUid ? before : { podUid, sinceMs: nowMs }
}

function lastPending(
  before: CommandTimes['resizePending'],
  podUid: string | null,
  reason: string | null,
): CommandTimes['resizePending'] {
  if (podUid === null || reason === null) return before
  return before?.podUid === podUid && before.reason === reason ? before : { podUid, reason }
}

/** The living pod of the generation that a node has. */
function placedPod(row: ReconcileRow | null, pods: readonly PodFacts[]): PodFacts | undefined {
  return pods.find(
    (pod) => row !== null && isPresent(row, pod) && pod.node !== null && !isTerminal(pod),
  )
}
