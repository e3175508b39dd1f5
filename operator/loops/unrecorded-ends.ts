import type { Clock } from '../../common/runtime/effects.ts'
import type { Caches } from '../observe/caches.ts'
import { isTerminal } from '../observe/pod-facts.ts'

/**
 * Seconds since the oldest pod was first seen to have ended whose command shows no end; 0 without one. A pod
 * that a later attempt has replaced counts only until that attempt has a pod.
 */
export function createUnrecordedEnds(
  caches: Pick<Caches, 'podsOf' | 'commandsOf'> & { readonly pods: Pick<Caches['pods'], 'list'> },
  clock: Clock,
): () => number {
  let since = new Map<string, number>()
  return () => {
    const nowMs = clock.monotonicMs()
    const ended = caches.pods.list().flatMap(({ commandId }) => {
      if (commandId === null || !caches.podsOf(commandId).every(isTerminal)) return []
      const command = caches.commandsOf(commandId)[0]
      return command === undefined || command.shown.ended ? [] : [commandId]
    })
    since = new Map(ended.map((commandId) => [commandId, since.get(commandId) ?? nowMs]))
    return Math.max(0, ...[...since.values()].map((beganMs) => (nowMs - beganMs) / 1_000))
  }
}
