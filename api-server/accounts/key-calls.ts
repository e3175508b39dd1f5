import { endpoint } from '../http/endpoint.ts'
import { refusal } from '../http/errors.ts'
import { timestamp, timestampOrNull } from '../http/format.ts'
import { keyHash, keyPrefix, newApiKey } from './secrets.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { ApiKey } from '../../common/openapi/openapi-types.ts'
import type { ApiKeyRecord } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { RandomBytes } from './secrets.ts'

interface Deps {
  readonly store: Pick<Store, 'listOwnApiKeys' | 'addOwnApiKey' | 'revokeOwnApiKey'>
  readonly effects: Effects
  readonly randomBytes: RandomBytes
  /** Whether keys may make keys. */
  readonly selfServiceKeys: boolean
}

/** Valid keys of an account that makes its own. */
const mostKeys = 100

/** `GET /v1/keys`: a bare array, oldest first, without revoked keys. */
export function listKeys({ store }: Pick<Deps, 'store'>): Endpoint {
  return endpoint('listKeys', async (_call, { key: { account, keyId } }) => {
    const keys = await store.listOwnApiKeys(account.accountId)
    return { status: 200, body: keys.map((key) => keyRecord(key, keyId)), secret: true }
  })
}

/**
 * `POST /v1/keys`: only the hash is stored, so the key is in this answer alone. A new key makes what the
 * key that asked for it makes: their `environment_name` is the same.
 */
export function createKey({ store, effects, randomBytes, selfServiceKeys }: Deps): Endpoint {
  return endpoint('createKey', async ({ body }, { key: { account, ...asked }, newId }) => {
    if (!selfServiceKeys) throw refusal(403, closed)
    const apiKey = newApiKey(randomBytes)
    const stored = {
      keyId: newId(),
      sha256: keyHash(apiKey),
      prefix: keyPrefix(apiKey),
      environmentName: asked.environmentName,
      label: body.label.trim(),
      readOnly: body.read_only,
      expiresInSeconds: body.expires_in_seconds,
    }
    const added = await effects.failpoint('accounts.key_added', () =>
      store.addOwnApiKey(account.accountId, stored, mostKeys),
    )
    if (added === null) throw refusal(409, full)
    return {
      status: 201,
      body: { ...keyRecord(added, asked.keyId), api_key: apiKey },
    }
  })
}

/** `DELETE /v1/keys/{key_id}`: servers refuse the key within the five seconds of their cache. */
export function revokeKey({ store, effects }: Pick<Deps, 'store' | 'effects'>): Endpoint {
  return endpoint('revokeKey', async ({ path }, { key: { account } }) => {
    const end = await effects.failpoint('accounts.key_revoked', () =>
      store.revokeOwnApiKey(account.accountId, path.key_id.toLowerCase()),
    )
    if (end === 'unknown') throw refusal(404, 'Key not found: GET /v1/keys lists the keys')
    if (end === 'last') throw refusal(409, last)
    return { status: 204, body: undefined }
  })
}

function keyRecord(key: ApiKeyRecord, ownId: string): ApiKey {
  return {
    key_id: key.keyId,
    label: key.label,
    prefix: key.prefix,
    read_only: key.readOnly,
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    expires_at: timestampOrNull(key.expiresAt),
    is_this_one: key.keyId === ownId,
  }
}

const closed =
  'Keys make no keys in this installation; an administrator makes one: admin keys create ACCOUNT'
const full = `The account has ${mostKeys} keys, the most that it may make: revoke one first`
const last =
  'This is the last key of the account that is not read-only: make another one first, or no key could make changes'
