import type { CacheChange } from '../observe/watched-kinds.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { isTerminal, isUndisturbed } from '../observe/pod-facts.ts'

/** Debounces the events of a warm runner that is being adopted: four in 500 ms. */
const adoptionMs = 250
/** A status is debounced for as long, and most short commands have made their next step by then. */
const quietMs = 1_500
/** Decides nothing. The pod of a short command has ended by then, which is reconciled at once. */
const restMs = 5_000

/**
 * How far a command is: `ended`: its resource shows the end; `released`: its end is recorded, and no pod holds vCPUs for
 * it; `gone`: its resource is not there.
 */
export type Stage = 'live' | 'ended' | 'released' | 'gone'

/**
 * Milliseconds after which a change of a command's objects is reconciled. At once: what decides, such as a cancellation,
 * the end of a pod or a failed Job. Later: what has only to be shown, which is debounced anyway. Last: what the leader
 * wrote itself, and what follows the end. Each reconcile reads the row, and most events decide nothing.
 * @returns null for a change that needs no reconcile
 */
export function reconcileDelayMs(change: CacheChange, stage: Stage): number | null {
  switch (change.kind) {
    case 'Pod':
      return podDelayMs(change, stage)
    case 'Job':
      return jobDelayMs(change, stage)
    default:
      // A user waits for the end of a deletion.
      if (change.type !== 'deleted' && change.object.deleting) return 0
      // The leader alone writes the status.
      return stage === 'released' || changesOnly(change, ['shown']) ? restMs : 0
  }
}

function jobDelayMs(change: CacheChange & { readonly kind: 'Job' }, stage: Stage): number | null {
  if (stage === 'released') return afterRelease(change)
  // The leader creates it for a live command; the garbage collector deletes it after its resource.
  if (change.type === 'added' && stage === 'live') return isOver(change.object) ? 0 : restMs
  if (change.type === 'deleted' && stage === 'gone') return restMs
  // Other fields are changed by its controller, or by Kueue.
  return changesOnly(change, ['ttlSeconds', 'deadlineSeconds']) ? quietMs : 0
}

/** A Job that a LIST shows first has not just been created. */
function isOver({ ending, deleting, finished }: JobFacts): boolean {
  return ending !== null || deleting || finished
}

function podDelayMs(change: CacheChange & { readonly kind: 'Pod' }, stage: Stage): number | null {
  const { object, type, previous } = change
  if (stage === 'released') return afterRelease(change)
  if (stage === 'live') {
    if (type === 'deleted' || !isUndisturbed(object)) return 0
    return object.warmRunner === null ? quietMs : adoptionMs
  }
  // A pod frees its vCPUs when it is terminal, some tenths of a second after the end of its containers.
  if (!isTerminal(object)) return type === 'deleted' ? 0 : restMs
  const wasTerminal = type === 'deleted' || (type === 'modified' && isTerminal(previous))
  return wasTerminal ? quietMs : 0
}

/** The last deletion lets the leader forget the command; a comparison finds what was undone, every five minutes. */
function afterRelease({ type }: CacheChange): number | null {
  return type === 'modified' ? null : restMs
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
