import { computed, signal } from '@preact/signals'
import { createClientWith } from '../../cli/client/client-with-effects.ts'
import { apiUrl } from './navigation.ts'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { noteIgnored, watchedFetch } from './trouble.ts'
import { accountName } from './account-words.ts'
import { changeProfile, profile, refusedKey, unnamed } from './session.ts'
import type { AccountUsage } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

export interface Config {
  readonly version: string
  readonly storage_origins: readonly string[]
  readonly registration: boolean
  /** Whether keys may make keys. */
  readonly self_service_keys: boolean
  /** How people of this installation get a key. */
  readonly key_help: string
}

export const config = signal<Config | null>(null)

export function clientFor(apiKey: string): Client {
  return createClientWith({
    url: apiUrl,
    apiKey,
    effects: browserEffects,
    // A form tries keys beside the one that is in use.
    fetch: watchedFetch(() => {
      if (profile.peek()?.key === apiKey) refusedKey.value = true
    }),
    onIgnoredParameters: noteIgnored,
  })
}

const chosenKey = computed(() => profile.value?.key ?? null)
/** The client of the chosen profile, also after it is renamed; null before a sign-in. */
export const client = computed(() => (chosenKey.value === null ? null : clientFor(chosenKey.value)))

/** Usage, read when commands start and end. */
export const usage = signal<AccountUsage | null>(null)

export function takeUsage(found: AccountUsage): void {
  usage.value = found
  const active = profile.peek()
  if (active?.name === unnamed) changeProfile(active.id, { name: accountName(found) })
}

export async function readConfig(): Promise<Config> {
  const response = await watchedFetch(() => undefined)(new URL('console/config.json', apiUrl))
  if (!response.ok) throw new Error(`The service answered with status ${response.status}.`)
  config.value = (await response.json()) as Config
  return config.value
}
