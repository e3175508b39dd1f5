import type { CacheChange } from '../observe/caches.ts'
import { isTerminal, isUndisturbed } from '../observe/pod-facts.ts'

/** Debounces the events of a standby that is being adopted: four in 500 ms. */
const adoptionMs = 250
/** Most short commands have made their next step by then, which is reconciled at once. */
const quietMs = 1_000

/** How far a command is: `released`: its end is recorded and shown, and no pod holds vCPUs for it. */
export type Stage = 'live' | 'ended' | 'released'

/**
 * Milliseconds after which a change of a command's objects is reconciled. At once: what decides, such as a cancellation,
 * the end of a pod or a failed Job. Later: what has only to be shown, which is debounced anyway, and what this process
 * wrote itself. Each reconcile reads the row; a third of the events of a short command decides something.
 */
export function reconcileDelayMs(change: CacheChange, stage: Stage): number {
  switch (change.kind) {
    case 'Pod':
      return podDelayMs(change, stage)
    case 'Job':
      if (stage === 'released') return quietMs
      // Other fields are changed by its controller, or by Kueue.
      return changesOnly(change, ownJobFields) ? quietMs : 0
    default:
      // A user waits for the end of a deletion. The leader alone writes the status.
      if (change.type !== 'deleted' && change.object.deleting) return 0
      return stage === 'released' || changesOnly(change, ['shown']) ? quietMs : 0
  }
}

const ownJobFields = ['startTime', 'ttlSeconds', 'deadlineSeconds']

function podDelayMs(change: CacheChange & { readonly kind: 'Pod' }, stage: Stage): number {
  const { object } = change
  if (stage === 'released') return quietMs
  // Its vCPUs are free when it is terminal, some tenths of a second after the end of its containers.
  if (change.type === 'deleted' || isTerminal(object)) return 0
  if (stage === 'live' && !isUndisturbed(object)) return 0
  return stage === 'live' && object.standby !== null ? adoptionMs : quietMs
}

/** False for an object that was created or deleted. */
function changesOnly({ type, object, previous }: CacheChange, fields: readonly string[]): boolean {
  if (type !== 'modified') return false
  const before = new Map<string, unknown>(Object.entries(previous))
  return Object.entries(object).every(
    ([name, value]) =>
      name === 'metadata' ||
      fields.includes(name) ||
      JSON.stringify(value) === JSON.stringify(before.get(name)),
  )
}
