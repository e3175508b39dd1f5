import { timestamp } from '../../http/timestamp.ts'
import { table } from './table.ts'
import type { ApiKeyRecord } from '../../../common/store/accounts.ts'

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
