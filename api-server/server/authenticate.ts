import { BoundedMap } from '../../common/bounded/bounded-map.ts'
import { keyHashText, keyPrefix } from '../accounts/secrets.ts'
import { refusal } from '../http/errors.ts'
import { createUnknownKeys } from './unknown-keys.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../common/runtime/effects.ts'
import type { AuthenticatedKey } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import type { UnknownKeyMetrics } from './unknown-keys.ts'

export interface Authenticate {
  /**
   * @param client returns the address from which the request came; called for an unknown key alone
   * @throws Refusal 401; 429 after many unknown keys of this client
   */
  (headers: IncomingHttpHeaders, client: () => string): Promise<AuthenticatedKey>
  /** Whether the key of an accepted request is still valid and its account is not suspended. */
  isStillValid(headers: IncomingHttpHeaders): Promise<boolean>
}

interface Deps {
  readonly store: Pick<Store, 'findKey' | 'noteKeyUse' | 'takeClientToken'>
  readonly clock: Clock
  readonly metrics: UnknownKeyMetrics
}

/** Cache TTL of keys: a disabled key or a suspended account may pass for this long. */
export const keyCacheMs = 5_000
const maxCachedKeys = 10_000
/** The use of a key is recorded at most this often. */
const noteEveryMs = 60_000

/** Printable characters without blanks. The shortest key that an installation can set has 16. */
const keyForm = /^[\x21-\x7e]{8,256}$/

/**
 * Finds the account of an `X-API-KEY`. Verified keys are cached, so that polling costs one statement
 * in five seconds instead of one per request. Unknown keys are cached for a minute and counted by
 * client; malformed keys cost no statement.
 */
export function createAuthenticate({ store, clock, metrics }: Deps): Authenticate {
  const cached = new BoundedMap<string, { key: AuthenticatedKey; until: number }>(maxCachedKeys)
  const noted = new BoundedMap<string, number>(maxCachedKeys)
  const unknown = createUnknownKeys({ store, clock, metrics })

  /** Best-effort and beside the request: where it fails, the next use records it. */
  function noteUse(sent: string, { keyId }: AuthenticatedKey): void {
    const now = clock.monotonicMs()
    if (now - (noted.get(keyId) ?? -Infinity) < noteEveryMs) return
    noted.set(keyId, now)
    store.noteKeyUse(keyId, keyPrefix(sent)).catch(() => noted.delete(keyId))
  }

  /**
   * @param id base64 of the key's hash
   * @returns null if the database has no such key
   */
  async function readKey(id: string): Promise<AuthenticatedKey | null> {
    const queriedAt = clock.monotonicMs()
    const key = await store.findKey(Buffer.from(id, 'base64'))
    cached.delete(id)
    if (key === null) {
      unknown.remember(id)
      return null
    }
    cached.set(id, { key, until: queriedAt + keyCacheMs })
    return key
  }

  const authenticate = async (headers: IncomingHttpHeaders, client: () => string) => {
    const sent = keyIn(headers)
    if (sent === '') throw unauthorized(headers)
    if (!keyForm.test(sent)) {
      metrics.unknown('malformed')
      throw refusal(401, malformed)
    }
    const id = keyHashText(sent)
    const known = cached.get(id)
    if (known !== undefined && clock.monotonicMs() < known.until) return known.key
    if (unknown.has(id)) throw unauthorized(headers)
    const key = await unknown.counted(client, () => readKey(id))
    if (key === null) throw unauthorized(headers)
    noteUse(sent, key)
    return key
  }

  async function isStillValid(headers: IncomingHttpHeaders): Promise<boolean> {
    const id = keyHashText(keyIn(headers))
    if (unknown.has(id)) return false
    const known = cached.get(id)
    const isFresh = known !== undefined && clock.monotonicMs() < known.until
    const key = isFresh ? known.key : await readKey(id)
    return key !== null && !key.account.suspended
  }

  return Object.assign(authenticate, { isStillValid })
}

const malformed =
  'Invalid authorization key: a key has 8 to 256 printable characters without blanks; send it unchanged in the X-API-KEY header'

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
