import { refusal } from '../../http/errors.ts'
import { s3Limits } from '../../../common/storage/s3-limits.ts'
import type { StoredObject } from '../../../common/storage/object-store.ts'
import type {
  CompleteUploadRequest,
  ValidationMistake,
} from '../../../common/openapi/openapi-types.ts'

export interface UploadedPart {
  readonly partNumber: number
  /** Without quotes. */
  readonly etag: string
}

/** The parts in order. @throws Refusal 422 unless the numbers are 1 to N, each once */
export function uploadedParts({ parts }: CompleteUploadRequest): UploadedPart[] {
  const seen = new Set<number>()
  const mistakes = parts.flatMap(({ part_number: number }, index) => {
    const msg = seen.has(number)
      ? `Part ${number} is there twice`
      : number > parts.length
        ? `Part numbers go from 1 to ${parts.length}, each once`
        : null
    seen.add(number)
    return msg === null ? [] : [mistake(index, msg)]
  })
  if (mistakes.length > 0) throw refusal(422, mistakes.slice(0, 20))
  return parts
    .map(({ part_number, etag }) => ({ partNumber: part_number, etag: withoutQuotes(etag) }))
    .toSorted((a, b) => a.partNumber - b.partNumber)
}

function mistake(index: number, msg: string): ValidationMistake {
  return { loc: ['body', 'parts', String(index), 'part_number'], msg, type: 'value_error' }
}

function withoutQuotes(etag: string): string {
  return etag.trim().replace(/^"(.*)"$/s, '$1')
}

/**
 * Mistake in the parts in the object store; null if they are the announced file. Checked
 * before completion, since the session could not continue afterwards.
 */
export function partsProblem(
  parts: readonly UploadedPart[],
  stored: ReadonlyMap<number, StoredObject>,
  sizeBytes: number,
): string | null {
  const found = parts.map(({ partNumber, etag }) => ({
    partNumber,
    etag,
    part: stored.get(partNumber),
  }))
  let bytes = 0
  for (const { partNumber, etag, part } of found) {
    if (part === undefined) return `Part ${partNumber} is not in storage`
    if (part.etag !== etag) {
      return `Part ${partNumber} has the ETag "${part.etag}" in storage, not "${etag}"`
    }
    bytes += part.sizeBytes
  }
  const small = found.find(
    ({ partNumber, part }) =>
      partNumber < parts.length && (part?.sizeBytes ?? 0) < s3Limits.leastPartBytes,
  )
  if (small !== undefined) {
    const size = small.part?.sizeBytes
    return `Part ${small.partNumber} has ${size} bytes; every part but the last needs 5 MiB`
  }
  if (bytes === sizeBytes) return null
  return `The parts have ${bytes} bytes together, ${sizeBytes} were announced`
}
