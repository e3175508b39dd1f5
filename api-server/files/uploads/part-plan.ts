/** S3's own limits: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
const mostParts = 10_000
const leastPartBytes = 5 * 1_048_576
const mostPartBytes = 5_368_709_120

/** The object store's maximum, which also limits a larger figure of a plan. */
export const mostUploadBytes = mostParts * mostPartBytes

export interface PartPlan {
  /** Size of every part but the last. */
  readonly partBytes: number
  readonly partCount: number
}

/** Parts of the requested size, within the limits of the object store. */
export function partPlan(sizeBytes: number, askedBytes: number): PartPlan {
  const least = Math.max(leastPartBytes, Math.ceil(sizeBytes / mostParts))
  const partBytes = Math.min(Math.max(askedBytes, least), mostPartBytes)
  return { partBytes, partCount: Math.ceil(sizeBytes / partBytes) }
}

/** Whether the object store takes a part of this size; the last one may have any. */
export function isLargeEnough(bytes: number): boolean {
  return bytes >= leastPartBytes
}
