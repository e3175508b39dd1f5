import { computed, signal } from '@preact/signals'
import { browserEffects } from '../../cli/client/browser-effects.ts'
import { merged, profilesIn, reactionTo } from './profiles.ts'
import type { Profile } from './profiles.ts'

/** The keys of this tab. They are in memory, and in the tab's storage unless a file could read it. */
export const profiles = signal<readonly Profile[]>([])
const activeId = signal<string | null>(null)
export const profile = computed(
  () => profiles.value.find(({ id }) => id === activeId.value) ?? profiles.value[0] ?? null,
)
/** The service no longer accepts the key of the chosen profile. */
export const refusedKey = signal(false)

/** Name of a profile whose key came by a link, until the service names its account. */
export const unnamed = 'from a link'

const name = 'cloud-ffmpeg.profiles'
const activeName = 'cloud-ffmpeg.profile'
/** Path of the console, which the reference below `/docs` names too. */
const consolePath = new URL(import.meta.url).pathname.replace(
  /(?:console|docs)\/assets\/.*/,
  'console/',
)
const scope = `cloud-ffmpeg ${consolePath}`
const channel = new BroadcastChannel(scope)
/** Unfinished uploads, whose URLs are credentials for their parts. */
export const uploadsDatabase = scope

const memoryOnly = signal(false)

/**
 * @param storageOrigins null where they are not known. A script in a stored file of this page's origin
 * could read its storage and ask on its channel, so keys then stay in the memory of this tab
 */
export async function openSession(storageOrigins: readonly string[] | null): Promise<void> {
  memoryOnly.value = storageOrigins?.includes(location.origin) ?? true
  if (!isMemoryOnly()) {
    const own = profilesIn(sessionStorage.getItem(name))
    profiles.value = merged(own, profilesIn(localStorage.getItem(name)))
    activeId.value = sessionStorage.getItem(activeName)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => onMessage(data))
  if (profiles.value.length === 0 && !isMemoryOnly()) await askOtherTabs()
}

export function signIn(added: Profile): void {
  profiles.value = [...profiles.value.filter(({ key }) => key !== added.key), added]
  choose(added.id)
}

/** Changes what the person sees of a profile, or where it is kept. */
export function changeProfile(
  id: string,
  change: Partial<Pick<Profile, 'name' | 'colour' | 'keep'>>,
): void {
  profiles.value = profiles.value.map((one) => (one.id === id ? { ...one, ...change } : one))
  save()
}

/** Removes one key from this tab and this device. */
export function removeProfile(id: string): void {
  profiles.value = profiles.value.filter((one) => one.id !== id)
  if (activeId.value === id) activeId.value = null
  refusedKey.value = false
  save()
}

/** Whether nothing secret may be stored, since a stored file could read it. */
export const isMemoryOnly = () => memoryOnly.peek()

export function choose(id: string): void {
  activeId.value = id
  refusedKey.value = false
  save()
}

/** Removes all keys, in all tabs. */
export function signOut(): void {
  channel.postMessage({ kind: 'signed-out' })
  forget()
}

function forget(): void {
  profiles.value = []
  activeId.value = null
  refusedKey.value = false
  save()
  indexedDB.deleteDatabase(uploadsDatabase)
}

function save(): void {
  if (isMemoryOnly()) return
  const [kept, own] = [true, false].map((keep) => profiles.value.filter((one) => one.keep === keep))
  put(localStorage, kept ?? [])
  put(sessionStorage, own ?? [])
  if (activeId.value === null) sessionStorage.removeItem(activeName)
  else sessionStorage.setItem(activeName, activeId.value)
}

function put(storage: Storage, some: readonly Profile[]): void {
  if (some.length === 0) storage.removeItem(name)
  else storage.setItem(name, JSON.stringify(some))
}

/** A new tab takes the keys of an open one. */
async function askOtherTabs(): Promise<void> {
  const answered = new Promise<void>((resolve) => {
    const stop = profiles.subscribe((some) => {
      if (some.length > 0) resolve()
    })
    // An open tab answers at once; without one, the sign-in must not wait.
    browserEffects.clock.schedule(150, () => resolve(stop()))
  })
  channel.postMessage({ kind: 'asked' })
  await answered
}

function onMessage(data: unknown): void {
  const reaction = reactionTo(data, profiles.value, isMemoryOnly())
  if (reaction?.kind === 'forget') forget()
  if (reaction?.kind === 'answer') {
    channel.postMessage({ kind: 'answered', profiles: profiles.value, active: profile.value?.id })
  }
  if (reaction?.kind !== 'take') return
  profiles.value = reaction.profiles
  if (reaction.active !== null) choose(reaction.active)
}
