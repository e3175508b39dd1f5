import { keyHash, keyPrefix, newApiKey } from '../../accounts/secrets.ts'
import { timestamp, timestampOrNull } from '../../http/format.ts'
import { secondsIn } from '../command/option-values.ts'
import { table, timeCell } from '../command/table.ts'
import type { NewApiKey, ApiKeyRecord } from '../../../common/store/accounts.ts'
import type { AdminDeps, AdminOption, Given } from '../command/admin-command.ts'

export const keyOptions: Readonly<Record<string, AdminOption>> = {
  environment: { value: 'NAME', summary: 'environment_name of what is made with the key' },
  label: { value: 'TEXT', summary: 'what people call the key' },
}

/** Options of `keys create` alone: the first key of an account must be able to make changes. */
export const limitOptions: Readonly<Record<string, AdminOption>> = {
  'read-only': { summary: 'the key may read and validate only' },
  'expires-in': { value: 'TIME', summary: 'until it is refused, such as 12h or 30d' },
}

/** A key and what is stored of it. */
export function newKey(deps: AdminDeps, given: Given): { apiKey: string; stored: NewApiKey } {
  const apiKey = newApiKey(deps.randomBytes)
  const stored = {
    keyId: deps.newId(),
    sha256: keyHash(apiKey),
    prefix: keyPrefix(apiKey),
    readOnly: given.flag('read-only'),
    expiresInSeconds: expiryIn(given),
    environmentName: given.option('environment'),
    label: given.option('label'),
  }
  return { apiKey, stored }
}

/** @throws AdminError */
function expiryIn(given: Given): number | null {
  const text = given.option('expires-in')
  return text === null ? null : secondsIn('expires-in', text)
}

export function keyJson(key: ApiKeyRecord): object {
  return {
    key_id: key.keyId,
    label: key.label,
    prefix: key.prefix,
    environment_name: key.environmentName,
    read_only: key.readOnly,
    disabled: key.disabled,
    created_at: timestamp(key.createdAt),
    last_used_at: timestampOrNull(key.lastUsedAt),
    expires_at: timestampOrNull(key.expiresAt),
  }
}

export function keyTable(keys: readonly ApiKeyRecord[], now: Date): string {
  const header = [
    'KEY ID',
    'PREFIX',
    'LABEL',
    'ENVIRONMENT',
    'STATE',
    'CREATED',
    'LAST USED',
    'EXPIRES',
  ]
  const rows = keys.map((key) => [
    key.keyId,
    key.prefix ?? '-',
    key.label ?? '-',
    key.environmentName ?? '-',
    stateOf(key),
    timeCell(key.createdAt, now),
    timeCell(key.lastUsedAt, now),
    timeCell(key.expiresAt, now),
  ])
  return table(header, rows)
}

function stateOf(key: ApiKeyRecord): string {
  if (key.disabled) return 'revoked'
  if (key.expired) return 'expired'
  return key.readOnly ? 'read-only' : 'active'
}
