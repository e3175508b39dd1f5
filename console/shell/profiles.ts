/** A key of an account, by the name that its user gave it. */
export interface Profile {
  readonly id: string
  readonly name: string
  readonly colour: string
  readonly key: string
  /** Stored on this device, beyond the session of the tab. */
  readonly keep: boolean
}

/** Colours of the bar at the top, one per profile; each has a contrast of 3 to both grounds. */
export const colours = ['#2f7ed8', '#1f8a4c', '#a0660b', '#c2434d', '#8256d0', '#5d7183'] as const

/** Profiles from a text of the storage; an unreadable text has none. */
export function profilesIn(text: string | null): Profile[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter(isProfile) : []
  } catch {
    return []
  }
}

/** Adds the profiles that are not there yet; the same key is the same profile. */
export function merged(own: readonly Profile[], others: readonly Profile[]): Profile[] {
  const fresh = others.filter((one) => !own.some(({ key }) => key === one.key))
  return [...own, ...fresh]
}

export function isProfile(value: unknown): value is Profile {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  const texts = ['id', 'name', 'colour', 'key'].every(
    (name) => typeof fields.get(name) === 'string',
  )
  return texts && typeof fields.get('keep') === 'boolean'
}

/** The colours in turn. */
export function nextColour(profiles: readonly Profile[]): string {
  return colours[profiles.length % colours.length] ?? colours[0]
}

/** Reaction to a message of another tab; null: none. */
type Reaction =
  | { readonly kind: 'forget' | 'answer' }
  | { readonly kind: 'take'; readonly profiles: Profile[]; readonly active: string | null }
  | null

export function reactionTo(
  data: unknown,
  own: readonly Profile[],
  isMemoryOnly: boolean,
): Reaction {
  const fields = new Map<string, unknown>(
    typeof data === 'object' && data !== null ? Object.entries(data) : [],
  )
  const [kind, given, active] = ['kind', 'profiles', 'active'].map((name) => fields.get(name))
  if (kind === 'signed-out') return { kind: 'forget' }
  // The question may come from a stored page, and the answer may hold a key of its author.
  if (isMemoryOnly) return null
  if (kind === 'asked') return own.length > 0 ? { kind: 'answer' } : null
  if (kind !== 'answered' || !Array.isArray(given) || own.length > 0) return null
  const found = given.filter(isProfile)
  return { kind: 'take', profiles: found, active: typeof active === 'string' ? active : null }
}
