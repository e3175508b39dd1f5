import type { Clock } from '../../common/runtime/effects.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'

/** A pod that waits for a command, as the cluster has signed it. */
export interface WarmRunnerPod {
  readonly podUid: string
  readonly podName: string
}

export interface WarmRunnerOffer extends WarmRunnerPod {
  /** Since the start of its process, by its own clock and then by ours, rounded up. */
  readonly waitedSeconds: number
}

/** Address of the leader's gateway, seen from this process. */
export type LeaderPlace =
  | { readonly kind: 'here' }
  /** `IP:PORT` of another pod. */
  | { readonly kind: 'elsewhere'; readonly address: string }
  /** No process leads now, or the leader says nothing of its address. */
  | { readonly kind: 'unknown' }

/** How the wait of a warm runner ended. */
export type WaitEnd =
  | { readonly kind: 'bound'; readonly row: ReconcileRow }
  /** The same pod makes another request, or this process stops. */
  | { readonly kind: 'replaced' }

export interface WarmRunnerWait {
  readonly ended: Promise<WaitEnd>
  /** The pod holds no command: from now on it is offered. */
  offer(): void
  /** Ends the wait without an answer. */
  leave(): void
}

/** The requests of warm runners that this process holds open, for the loop that binds and the gateway. */
export interface WarmRunnerWaiters {
  /** Pods that a command can be bound to, longest waiting first. */
  offers(): readonly WarmRunnerOffer[]
  /**
   * Ends the wait of a bound pod with its command.
   * @returns false if its request has ended meanwhile: the pod sends another one, and gets the same answer
   */
  answer(podUid: string, row: ReconcileRow): boolean
  /** Calls back when a pod begins or ends to wait. @returns unsubscribes */
  onChange(listener: () => void): () => void
  /** A request has arrived: it takes the place of an earlier one of the pod, whose connection is dead. */
  wait(pod: WarmRunnerPod, waitedSeconds: number): WarmRunnerWait
  /** Ends all waits. */
  release(): void
}

interface Waiter {
  readonly pod: WarmRunnerPod
  /** Start of the pod's process, by the clock of ours. */
  readonly startedMs: number
  isOffered: boolean
  readonly end: (end: WaitEnd) => void
}

export function createWarmRunnerWaiters(clock: Clock): WarmRunnerWaiters {
  const waiters = new Map<string, Waiter>()
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  /** @returns whether the waiter was there */
  const remove = (waiter: Waiter | undefined): waiter is Waiter => {
    if (waiter === undefined || waiters.get(waiter.pod.podUid) !== waiter) return false
    waiters.delete(waiter.pod.podUid)
    return true
  }

  return {
    offers() {
      const nowMs = clock.monotonicMs()
      return [...waiters.values()]
        .filter(({ isOffered }) => isOffered)
        .toSorted((a, b) => a.startedMs - b.startedMs)
        .map(({ pod, startedMs }) => ({
          ...pod,
          waitedSeconds: Math.ceil((nowMs - startedMs) / 1_000),
        }))
    },
    answer(podUid, row) {
      const waiter = waiters.get(podUid)
      if (!remove(waiter)) return false
      waiter.end({ kind: 'bound', row })
      changed()
      return true
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    wait(pod, waitedSeconds) {
      const earlier = waiters.get(pod.podUid)
      if (remove(earlier)) earlier.end({ kind: 'replaced' })
      const { promise, resolve } = Promise.withResolvers<WaitEnd>()
      const startedMs = clock.monotonicMs() - waitedSeconds * 1_000
      const waiter: Waiter = { pod, startedMs, isOffered: false, end: resolve }
      waiters.set(pod.podUid, waiter)
      return {
        ended: promise,
        offer() {
          if (waiter.isOffered || waiters.get(pod.podUid) !== waiter) return
          waiter.isOffered = true
          changed()
        },
        leave() {
          if (remove(waiter) && waiter.isOffered) changed()
        },
      }
    },
    release() {
      for (const waiter of waiters.values()) {
        waiters.delete(waiter.pod.podUid)
        waiter.end({ kind: 'replaced' })
      }
      changed()
    },
  }
}
