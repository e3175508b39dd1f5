import { age } from '../parts/relative-time.ts'
import type { ApiKey } from '../../common/openapi/openapi-types.ts'

/** Name of a key for people. */
export function keyName({ label, prefix, key_id: id }: ApiKey): string {
  return label ?? (prefix === null ? `Key ${id.slice(0, 8)}…` : `${prefix}…`)
}

/** How long a key is still accepted, or null without an end. */
export function expiryWords(expiresAt: string | null, nowMs: number): string | null {
  if (expiresAt === null) return null
  const seconds = (Date.parse(expiresAt) - nowMs) / 1_000
  if (seconds <= 0) return 'expired'
  if (seconds < 3_600) return `expires in ${Math.ceil(seconds / 60)} min`
  if (seconds < 2 * 86_400) return `expires in ${Math.ceil(seconds / 3_600)} h`
  return `expires in ${Math.ceil(seconds / 86_400)} days`
}

/** When it was used last: the service records a use at most once a minute. */
export function useWords(usedAt: string | null, nowMs: number): string {
  if (usedAt === null) return 'not used yet'
  return nowMs - Date.parse(usedAt) < 120_000 ? 'used just now' : `used ${age(usedAt, nowMs)} ago`
}

export const lifetimes = [
  { words: 'Never', seconds: null },
  { words: 'In 24 hours', seconds: 86_400 },
  { words: 'In 30 days', seconds: 30 * 86_400 },
  { words: 'In 90 days', seconds: 90 * 86_400 },
  { words: 'In a year', seconds: 365 * 86_400 },
] as const
