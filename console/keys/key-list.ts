import { signal } from '@preact/signals'
import { reasonOf } from '../parts/notices.ts'
import type { ApiKey, CreatedKey, CreateKeyRequest } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

/** The keys of the account, with what changes them. */
export interface KeyList {
  /** null until they are read. */
  readonly keys: { readonly value: readonly ApiKey[] | null }
  readonly problem: { readonly value: string | null }
  readonly readNow: () => void
  readonly revoke: (keyId: string) => Promise<void>
  readonly make: (request: CreateKeyRequest) => Promise<CreatedKey>
  readonly close: () => void
}

export function createKeyList(client: Client): KeyList {
  const stop = new AbortController()
  const { signal: stopped } = stop
  const keys = signal<readonly ApiKey[] | null>(null)
  const problem = signal<string | null>(null)

  async function read(): Promise<void> {
    try {
      keys.value = await client.listKeys({ signal: stopped })
      problem.value = null
    } catch (error) {
      if (!stopped.aborted) problem.value = reasonOf(error)
    }
  }
  void read()
  return {
    keys,
    problem,
    readNow: () => void read(),
    async revoke(keyId) {
      await client.revokeKey(keyId)
      keys.value = keys.value?.filter((key) => key.key_id !== keyId) ?? null
    },
    async make(request) {
      const made = await client.createKey(request)
      await read()
      return made
    },
    close: () => stop.abort(),
  }
}
