import { keyHash, newApiKey } from '../secrets.ts'
import { timestamp } from '../../http/format.ts'
import { table } from './table.ts'
import type { NewApiKey, ApiKeyRecord } from '../../../common/store/accounts.ts'
import type { AdminDeps, AdminOption, Given } from './admin-command.ts'

export const keyOptions: Readonly<Record<string, AdminOption>> = {
  environment: { value: 'NAME', summary: 'environment_name of what is made with the key' },
  label: { value: 'TEXT', summary: 'what people call the key' },
}

/** A key and what is stored of it. */
export function newKey(deps: AdminDeps, given: Given): { apiKey: string; stored: NewApiKey } {
  const apiKey = newApiKey(deps.randomBytes)
  const stored = {
    keyId: deps.newId(),
    sha256: keyHash(apiKey),
    environmentName: given.option('environment'),
    label: given.option('label'),
  }
  return { apiKey, stored }
}

export function keyJson(key: ApiKeyRecord): object {
  return {
    key_id: key.keyId,
    label: key.label,
    environment_name: key.environmentName,
    disabled: key.disabled,
    created_at: timestamp(key.createdAt),
  }
}

export function keyTable(keys: readonly ApiKeyRecord[]): string {
  const header = ['KEY ID', 'LABEL', 'ENVIRONMENT', 'STATE', 'CREATED']
  const rows = keys.map((key) => [
    key.keyId,
    key.label ?? '-',
    key.environmentName ?? '-',
    key.disabled ? 'revoked' : 'active',
    timestamp(key.createdAt),
  ])
  return table(header, rows)
}
