import { storedBytes } from '../../common/kubernetes/stored-bytes.ts'

/** One word for programs and a sentence for people. */
export interface Reason {
  readonly reason: string
  readonly message: string
}

/** `OUT_OF_MEMORY` becomes `OutOfMemory`: reasons of conditions are CamelCase. */
export function camelCase(errorStatus: string): string {
  return errorStatus
    .split('_')
    .map((word) => word.slice(0, 1) + word.slice(1).toLowerCase())
    .join('')
}

/**
 * The CRD allows 1,024 characters. A status takes at most 8 KiB in the cluster, so the text takes at
 * most two bytes per character of the length there: a message of FFmpeg may be `<` only, of six bytes
 * each.
 */
export function cut(text: string, length = 900): string {
  if (text.length <= length && storedBytes(text) <= 2 * length) return text
  let kept = ''
  let bytes = storedBytes('…')
  for (const character of text.slice(0, length - 1)) {
    bytes += storedBytes(character) - 2
    if (bytes > 2 * length) break
    kept += character
  }
  return `${kept}…`
}

/** Why a command waits: for admission, in the order of their precedence, or for the queue of its Job. */
const waits = [
  'Paused',
  'WaitingForFileJobs',
  'WaitingForQuota',
  'WaitingForFairShare',
  'WaitingForCapacity',
  'WaitingForKueue',
] as const

export type WaitReason = Reason & { readonly reason: (typeof waits)[number] }

export function isWait(reason: string | undefined): reason is WaitReason['reason'] {
  return waits.some((wait) => wait === reason)
}
