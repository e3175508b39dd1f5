import type { Clock } from '../../common/runtime/effects.ts'
import type { PodFacts } from './pod-facts.ts'

/**
 * The last state of deleted pods. A Job whose deadline passes deletes its pod, and a cluster's pod
 * collector may delete finished ones early: then only the deletion event shows how the attempt
 * ended.
 */
export interface GonePods {
  add(pod: PodFacts): void
  of(commandId: string): PodFacts[]
  byUid(podUid: string): PodFacts | null
}

const keepMs = 10 * 60_000

export function createGonePods(clock: Clock): GonePods {
  const pods = new Map<string, { pod: PodFacts; atMs: number }>()
  const byCommand = new Map<string, Set<string>>()
  return {
    add(pod) {
      forgetOld()
      if (pod.commandId === null && pod.warmRunner === null) return
      const { uid } = pod.metadata
      pods.set(uid, { pod, atMs: clock.monotonicMs() })
      // A warm runner may be gone before its labels say whose command it was given.
      if (pod.commandId === null) return
      const uids = byCommand.get(pod.commandId) ?? new Set()
      byCommand.set(pod.commandId, uids.add(uid))
    },
    of: (commandId) =>
      [...(byCommand.get(commandId) ?? [])].flatMap((uid) => pods.get(uid)?.pod ?? []),
    byUid: (podUid) => pods.get(podUid)?.pod ?? null,
  }

  /** A Map keeps the order of insertion, so the old ones come first. */
  function forgetOld(): void {
    for (const [uid, { pod, atMs }] of pods) {
      if (clock.monotonicMs() - atMs < keepMs) return
      pods.delete(uid)
      const uids = byCommand.get(pod.commandId ?? '')
      uids?.delete(uid)
      if (uids?.size === 0) byCommand.delete(pod.commandId ?? '')
    }
  }
}
