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

/** The CRD allows 1,024 characters, and the status without URLs stays under 4 KiB. */
export function cut(text: string, length = 900): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

/** Why a command waits for admission, in the order of their precedence. */
const waits = [
  'WaitingForFileJobs',
  'WaitingForQuota',
  'WaitingForFairShare',
  'WaitingForCapacity',
] as const

export type WaitReason = Reason & { readonly reason: (typeof waits)[number] }

export function isWait(reason: string | undefined): reason is WaitReason['reason'] {
  return waits.some((wait) => wait === reason)
}
