import { keyHash, newApiKey } from '../api-key.ts'
import type { NewApiKey } from '../../../common/store/accounts.ts'
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
