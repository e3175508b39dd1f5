import { leastPartBytesOf } from '../../../common/storage/s3-limits.ts'

const mebibyte = 1024 * 1024

/** Larger files go in parts; up to here one PUT costs less than three more requests. */
export const singlePutBytes = 16 * mebibyte

/** Bytes of every part but the last, a whole number of MiB. */
export function partSize(sizeBytes: number): number {
  return Math.max(singlePutBytes, growingPartSize(sizeBytes))
}

export function partCount(sizeBytes: number): number {
  return Math.ceil(sizeBytes / partSize(sizeBytes))
}

/**
 * Bytes of every part but the last of a file that is still being written. All parts are of one
 * size, as some stores require, so the first one decides how large the file may become. Small
 * parts let the upload begin early.
 * @param mostBytes what the working folder may hold
 */
export function growingPartSize(mostBytes: number): number {
  return Math.ceil(leastPartBytesOf(mostBytes) / mebibyte) * mebibyte
}
