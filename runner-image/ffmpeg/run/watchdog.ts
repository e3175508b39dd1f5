import type { EndReason, RunLimits } from '../../link/messages.ts'
import type { FolderUse } from './folder-use.ts'

/**
 * Which limit the working folder exceeds; the kernel limits only single files, and the volume's own
 * limit acts tens of seconds late, by an eviction that would look like a lost runner.
 */
export function brokenLimit(use: FolderUse, limits: RunLimits): EndReason | null {
  if (use.entries > limits.fileCount) return 'file_count'
  if (use.bytes > limits.scratchBytes) return 'scratch_bytes'
  if (use.freeBytes < leastFreeBytes) return 'free_space'
  return null
}

/** Room for the log and the zip of a command on a disk that others use too. */
const leastFreeBytes = 64 * 1024 * 1024

/** Counters that grow while a run is alive. */
export interface Advance {
  readonly outTimeUs: number | null
  readonly frame: number | null
  readonly bytes: number
}

/**
 * Distinguishes a run that does nothing from a slow one.
 * @returns a function that takes the latest figures and answers whether they have not changed for
 * 60 s
 */
export function createStallDetector(): (advance: Advance, nowMs: number) => boolean {
  let last: Advance | null = null
  let since = 0
  return (advance, nowMs) => {
    if (last === null || !isSame(last, advance)) {
      last = advance
      since = nowMs
    }
    return nowMs - since >= stalledAfterMs
  }
}

const stalledAfterMs = 60_000

function isSame(a: Advance, b: Advance): boolean {
  return a.outTimeUs === b.outTimeUs && a.frame === b.frame && a.bytes === b.bytes
}
