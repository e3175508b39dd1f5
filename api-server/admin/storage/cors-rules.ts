import type { CorsRule } from '../../../common/storage/bucket/bucket-cors.ts'

/** Marks the rule of this service among the rules of a bucket. */
const ruleId = 'cloud-ffmpeg'

/**
 * Pages of these origins may read objects and upload parts. Private objects need a presigned URL, so
 * a page can read nothing that `curl` cannot read.
 */
export function ruleFor(origins: readonly string[]): CorsRule {
  return {
    ID: ruleId,
    AllowedOrigins: [...origins],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    // complete-upload needs the ETag of each part; players read the others after a range request.
    ExposeHeaders: ['ETag', 'Content-Range', 'Content-Length'],
    // Chromium keeps a preflight at most this long.
    MaxAgeSeconds: 7_200,
  }
}

/** S3 stores all rules of a bucket at once. The bucket's other rules stay, and stay in front. */
export function withRule(existing: readonly CorsRule[], rule: CorsRule): CorsRule[] {
  return [...existing.filter(({ ID }) => ID !== ruleId), rule]
}

/** Why a text cannot be an origin of a rule; null where it can. */
export function originMistake(text: string): string | null {
  if (text === '*') return null
  const [first = '', ...others] = text.split('*')
  if (others.length > 1) return 'has more than one *'
  const example = [first, ...others].join('any')
  const url = URL.parse(example)
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'begins with neither https:// nor http://'
  return example === url.origin ? null : `is not an origin: write ${url.origin}`
}

/** An origin that the pattern stands for. */
export function exampleOrigin(pattern: string): string {
  return pattern === '*' ? 'https://any.example' : pattern.replace('*', 'any')
}
