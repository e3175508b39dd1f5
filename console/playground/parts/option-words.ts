import type { DraftOptions } from '../../draft/draft.ts'

const lifetimes = [
  ['', 'as the account does'],
  ['3600', '1 hour'],
  ['86400', '24 hours'],
  ['604800', '7 days'],
  ['0', 'until they are deleted'],
] as const

/** How long outputs can be kept, in seconds and words; a lifetime of a request is one of them. */
export function lifetimesWith(ttl: string): readonly (readonly [seconds: string, words: string])[] {
  const isListed = lifetimes.some(([seconds]) => seconds === ttl)
  return isListed ? lifetimes : [...lifetimes, [ttl, `${ttl} s`]]
}

/** Options in words, while their part of the page is folded. */
export function optionWords({ vcpus, seconds, isPrivate, metadata }: DraftOptions): string {
  return [
    vcpus === '' ? null : `${vcpus} vCPUs`,
    seconds === '' ? null : `limit ${seconds} s`,
    isPrivate ? 'private' : null,
    metadata.length === 0 ? null : `metadata: ${metadata.map(([key]) => key).join(', ')}`,
  ]
    .filter((one) => one !== null)
    .join(' · ')
}
