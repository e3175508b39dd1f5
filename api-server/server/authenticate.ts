import { keyHash } from '../accounts/secrets.ts'
import { refusal } from '../http/errors.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AuthenticatedKey } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'

export type Authenticate = (headers: IncomingHttpHeaders) => Promise<AuthenticatedKey>

interface Deps {
  readonly store: Pick<Store, 'findKey'>
  readonly clock: Clock
}

/** Cache TTL of keys: a disabled key or a suspended account may pass for this long. */
export const keyCacheMs = 5_000
const maxCachedKeys = 10_000

/**
 * Finds the account of an `X-API-KEY`. Verified keys are cached, so that polling costs one statement
 * in five seconds instead of one per request; unknown keys are not cached, so that a new key works at
 * once.
 */
export function createAuthenticate({ store, clock }: Deps): Authenticate {
  const cached = new Map<string, { key: AuthenticatedKey; until: number }>()
  return async (headers) => {
    const sent = keyIn(headers)
    if (sent === '') throw unauthorized(headers)
    const hash = keyHash(sent)
    const id = hash.toString('base64')
    const known = cached.get(id)
    if (known !== undefined && clock.monotonicMs() < known.until) return known.key
    const queriedAt = clock.monotonicMs()
    const key = await store.findKey(hash)
    cached.delete(id)
    if (key === null) throw unauthorized(headers)
    if (cached.size >= maxCachedKeys) cached.delete(cached.keys().next().value ?? '')
    cached.set(id, { key, until: queriedAt + keyCacheMs })
    return key
  }
}

function keyIn(headers: IncomingHttpHeaders): string {
  const value = headers['x-api-key']
  return (Array.isArray(value) ? (value[0] ?? '') : (value ?? '')).trim()
}

/** The texts have the same beginning, which clients match; the rest names the remedy. */
function unauthorized(headers: IncomingHttpHeaders) {
  return refusal(401, `Invalid authorization key: ${remedy(headers)}`)
}

function remedy(headers: IncomingHttpHeaders): string {
  if (keyIn(headers) !== '') {
    return 'no account has the key in the X-API-KEY header; it may be revoked or cut short'
  }
  return headers.authorization === undefined
    ? 'the request has no X-API-KEY header'
    : 'send the key in the X-API-KEY header'
}
