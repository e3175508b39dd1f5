import { s3Limits } from '../../../common/storage/s3-limits.ts'

/** A range of the file; numbers begin at 1. */
export interface Part {
  readonly partNumber: number
  readonly start: number
  readonly bytes: number
}

/** The division of a growing file into parts, and how many of them have been handed out. */
export interface PartsState {
  readonly partBytes: number
  /** Number of the next part to send. */
  readonly next: number
}

/** @param holdsFirst the first part waits until the file is closed: FFmpeg will write it again */
export function partsState(holdsFirst: boolean): PartsState {
  return { partBytes: s3Limits.leastPartBytes, next: holdsFirst ? 2 : 1 }
}

/** The next part to send of a file of `size` bytes; null until the file has all of its bytes. */
export function nextPart({ partBytes, next }: PartsState, size: number): Part | null {
  const isFull = next <= s3Limits.mostParts && next * partBytes <= size
  return isFull ? { partNumber: next, start: (next - 1) * partBytes, bytes: partBytes } : null
}

export function afterPart(state: PartsState, { partNumber }: Part): PartsState {
  return { ...state, next: partNumber + 1 }
}

/** All parts of a file that does not grow any more; null if S3 does not take it in parts of this size. */
export function partsOf(size: number, partBytes: number): Part[] | null {
  const count = Math.ceil(size / partBytes)
  if (count < 1 || count > s3Limits.mostParts) return null
  return Array.from({ length: count }, (_, index) => {
    const start = index * partBytes
    return { partNumber: index + 1, start, bytes: Math.min(partBytes, size - start) }
  })
}
