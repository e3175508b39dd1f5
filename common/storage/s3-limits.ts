/** Limits of multipart uploads: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
export const s3Limits = {
  mostParts: 10_000,
  /** Each part but the last has at least as many. */
  leastPartBytes: 5 * 1024 ** 2,
  mostPartBytes: 5 * 1024 ** 3,
} as const

/** Bytes that every part but the last must have at least, so that S3 takes a file of this size. */
export function leastPartBytesOf(sizeBytes: number): number {
  return Math.max(s3Limits.leastPartBytes, Math.ceil(sizeBytes / s3Limits.mostParts))
}
