import type { Clock } from '../../common/runtime/effects.ts'
import type { Elapsed } from '../decide/snapshot.ts'
import type { Refusal } from '../status/refusal.ts'
import { elapsedOf, noTimes, secondsSince, timesAfter } from './command-times.ts'
import type { CommandTimes, SeenCommand } from './command-times.ts'
import { refusalAfter, refusedForMs } from './job-refusal.ts'
import type { JobRefusal } from './job-refusal.ts'

/**
 * Memory of the leader about commands between two reconciles, all of it disposable: since when
 * a condition has held, on its own monotonic clock. Clocks of hosts differ, so no timestamp of an
 * object is ever compared with this host's; after a restart a wait starts again from zero.
 */
export interface CommandTimers {
  elapsed(commandId: string, seen: SeenCommand): Elapsed
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
  /** The end of the command is recorded, and no pod holds vCPUs for it. */
  isReleased(commandId: string): boolean
  released(commandId: string): void
  refusal(commandId: string, jobGeneration: number): Refusal | null
  /** How long its Job had had no pod at its last reconcile; it is due again soon. */
  secondsWithoutPod(commandId: string): number
  /**
   * @param random in [0, 1), for the wait until the next try
   * @returns that wait in milliseconds
   */
  refused(
    commandId: string,
    jobGeneration: number,
    refusal: Refusal | null,
    random?: number,
  ): number
  /** Rest of that wait; 0: the Job may be created. */
  refusedForMs(commandId: string, jobGeneration: number): number
  /** The API server rejected the resize of the warm runner's pod. */
  resizeRefused(commandId: string, podUid: string, message: string): void
  /** The API server accepted the resize, but an admission policy changed the size. */
  sizeSettled(commandId: string, podUid: string): void
  forget(commandId: string): void
}

/** If a command's reason alternates, only the status shows the latest. */
const maxWaitsPublished = 3

interface Memory {
  times: CommandTimes
  statusPendingMs: number | null
  statusWrittenMs: number | null
  waitsPublished: number
  isResultKept: boolean
  isReleased: boolean
  refusal: JobRefusal | null
  resizeRefusal: { podUid: string; message: string } | null
  settledPodUid: string | null
}

/** @param onResizePending a node has not given a warm runner the size of its command, once for each reason that it has */
export function createCommandTimers(
  clock: Clock,
  onResizePending: (reason: string) => void = () => undefined,
): CommandTimers {
  const memories = new Map<string, Memory>()
  return {
    elapsed(commandId, seen) {
      const memory = of(commandId)
      const before = memory.times.resizePending
      const elapsed = elapse(memory, seen, clock.monotonicMs())
      const { resizePending } = memory.times
      if (resizePending !== null && resizePending !== before) onResizePending(resizePending.reason)
      return elapsed
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
      return secondsSince(memories.get(commandId)?.times.withoutPodMs ?? null, clock.monotonicMs())
    },
    refusal(commandId, jobGeneration) {
      const { refusal } = of(commandId)
      return refusal?.jobGeneration === jobGeneration ? refusal.refusal : null
    },
    refused(commandId, jobGeneration, refusal, random = 0) {
      const memory = of(commandId)
      const nowMs = clock.monotonicMs()
      memory.refusal = refusalAfter(memory.refusal, { jobGeneration, refusal, random, nowMs })
      return refusedForMs(memory.refusal, jobGeneration, nowMs)
    },
    refusedForMs(commandId, jobGeneration) {
      const last = memories.get(commandId)?.refusal ?? null
      return refusedForMs(last, jobGeneration, clock.monotonicMs())
    },
    resizeRefused(commandId, podUid, message) {
      of(commandId).resizeRefusal = { podUid, message }
    },
    sizeSettled(commandId, podUid) {
      of(commandId).settledPodUid = podUid
    },
    forget: (commandId) => void memories.delete(commandId),
  }

  function of(commandId: string): Memory {
    const memory = memories.get(commandId) ?? newMemory()
    memories.set(commandId, memory)
    return memory
  }
}

function elapse(memory: Memory, seen: SeenCommand, nowMs: number): Elapsed {
  const attempt = seen.row?.attempt ?? null
  const refused = memory.resizeRefusal
  const resizeRefusal = refused !== null && refused.podUid === attempt ? refused.message : null
  memory.times = timesAfter(memory.times, seen, resizeRefusal !== null, nowMs)
  const isSizeSettled = memory.settledPodUid !== null && memory.settledPodUid === attempt
  return { ...elapsedOf(memory.times, nowMs), resizeRefusal, isSizeSettled }
}

function newMemory(): Memory {
  return {
    times: noTimes,
    statusPendingMs: null,
    statusWrittenMs: null,
    waitsPublished: 0,
    isResultKept: false,
    isReleased: false,
    refusal: null,
    resizeRefusal: null,
    settledPodUid: null,
  }
}
