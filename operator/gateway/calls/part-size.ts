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

/** S3's minimum part size; the last part may be smaller. Small parts let the upload begin early. */
const leastPartBytes = 5 * mebibyte

/**
 * Bytes of every part but the last of a file that is still being written. All parts are of one
 * size, as some stores require, so the first one decides how large the file may become.
 * @param mostBytes what the working folder may hold
 */
export function growingPartSize(mostBytes: number): number {
  return Math.max(leastPartBytes, Math.ceil(mostBytes / mostParts / mebibyte) * mebibyte)
}
