const mebibyte = 1024 * 1024

/** Larger files go in parts; up to here one PUT costs less than three more requests. */
export const singlePutBytes = 16 * mebibyte

/** S3's own limit. */
const mostParts = 10_000

/** Bytes of every part but the last, a whole number of MiB. */
export function partSize(sizeBytes: number): number {
  const least = Math.ceil(sizeBytes / mostParts / mebibyte) * mebibyte
  return Math.max(singlePutBytes, least)
}

export function partCount(sizeBytes: number): number {
  return Math.ceil(sizeBytes / partSize(sizeBytes))
}
