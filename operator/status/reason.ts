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
