import { STATUS_CODES } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { retryAfterMs } from '../../runtime/backoff.ts'

/** File version that the bytes at hand are a part of. */
export interface Version {
  /** Strong ETag, else Last-Modified; null = two answers cannot be proven to be of one file. */
  readonly validator: string | null
  readonly totalBytes: number | null
}

export type Answer =
  | { kind: 'whole'; version: Version; acceptsRanges: boolean }
  | { kind: 'range'; version: Version }
  /** The requested range is of a file that has changed or is shorter now. */
  | { kind: 'changed' }
  | { kind: 'again'; reason: string; retryAfterMs: number | null }
  | { kind: 'refused'; reason: string }

/** Requested bytes; `last` is inclusive, null = to the end. */
export interface RequestedRange {
  readonly first: number
  readonly last: number | null
  readonly of: Version
}

/**
 * Reads status and headers of an answer. Bytes are never joined unless the server proves, on each
 * range, that they are of the same file: a mix of two versions plays, and is wrong.
 * @param requested null if the whole file was requested
 */
export function readAnswer(
  status: number,
  headers: IncomingHttpHeaders,
  requested: RequestedRange | null,
  wall: Date,
): Answer {
  if (status === 408 || status === 429 || status >= 500) {
    return {
      kind: 'again',
      reason: answered(status),
      retryAfterMs: retryAfterMs(headers['retry-after'], wall),
    }
  }
  if (status === 416 && requested !== null) return { kind: 'changed' }
  if (status !== 200 && (status !== 206 || requested === null)) {
    return { kind: 'refused', reason: answered(status) }
  }
  if (status === 200) {
    return {
      kind: 'whole',
      version: { validator: validatorOf(headers), totalBytes: lengthOf(headers) },
      acceptsRanges: headers['accept-ranges']?.toLowerCase() === 'bytes',
    }
  }
  return rangeAnswer(headers, requested)
}

/** Two answers without a validator cannot be proven to be of one file. */
export function isSameVersion(one: Version, other: Version): boolean {
  return (
    one.validator !== null &&
    one.validator === other.validator &&
    one.totalBytes === other.totalBytes
  )
}

function rangeAnswer(headers: IncomingHttpHeaders, requested: RequestedRange | null): Answer {
  const [, first, last, total] =
    /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const version = { validator: validatorOf(headers), totalBytes: Number(total) }
  if (requested === null || first === undefined || !isSameVersion(version, requested.of)) {
    return { kind: 'changed' }
  }
  const wantedLast = requested.last ?? version.totalBytes - 1
  return Number(first) === requested.first && Number(last) === wantedLast
    ? { kind: 'range', version }
    : { kind: 'changed' }
}

/** Weak ETags identify equivalent content, not the same bytes (RFC 9110, 8.8.1). */
function validatorOf(headers: IncomingHttpHeaders): string | null {
  const etag = headers.etag
  if (etag !== undefined && !etag.startsWith('W/')) return etag
  return headers['last-modified'] ?? null
}

function lengthOf(headers: IncomingHttpHeaders): number | null {
  const length = headers['content-length']
  return length === undefined || !/^\d+$/.test(length) ? null : Number(length)
}

function answered(status: number): string {
  return `answered ${String(status)} ${STATUS_CODES[status] ?? ''}`.trim()
}
