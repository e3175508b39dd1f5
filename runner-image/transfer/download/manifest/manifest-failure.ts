import { Failure } from '../../../../common/domain/failures.ts'

/** Limit of all playlists: a recording of 11 hours in segments of 2 s. */
export const mostSegments = 20_000

/** @param reason continues a sentence about the manifest */
export function invalidManifest(reason: string): Failure {
  return new Failure('INVALID_INPUT_FILE', `the manifest ${reason}`)
}

export function tooManySegments(): Failure {
  return new Failure(
    'INPUT_TOO_LARGE',
    `the playlist names more than ${String(mostSegments)} segments`,
  )
}

/** @throws Failure naming the attribute */
export function wholeNumber(text: string | undefined, name: string): bigint {
  if (text !== undefined && /^\d{1,18}$/.test(text)) return BigInt(text)
  throw invalidManifest(
    `has '${(text ?? '').slice(0, 40)}' as ${name}, which is not a whole number`,
  )
}

/** @throws Failure */
export function urlOf(text: string, base: URL): URL {
  const url = URL.parse(text, base.href)
  if (url !== null) return url
  throw invalidManifest(`names '${text.slice(0, 100)}', which is not a URL`)
}
