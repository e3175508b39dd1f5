import { leastPartBytesOf, s3Limits } from '../../../common/storage/s3-limits.ts'

/** The object store's maximum, which also limits a larger figure of a plan. */
export const mostUploadBytes = s3Limits.mostParts * s3Limits.mostPartBytes

export interface PartPlan {
  /** Size of every part but the last. */
  readonly partBytes: number
  readonly partCount: number
}

/** Parts of the requested size, within the limits of the object store. */
export function partPlan(sizeBytes: number, askedBytes: number): PartPlan {
  const partBytes = Math.min(
    Math.max(askedBytes, leastPartBytesOf(sizeBytes)),
    s3Limits.mostPartBytes,
  )
  return { partBytes, partCount: Math.ceil(sizeBytes / partBytes) }
}
