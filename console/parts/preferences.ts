import { signal } from '@preact/signals'

/** Choices of a person for this device; they hold nothing of an account. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark'
  readonly density: 'comfortable' | 'compact'
  readonly zone: 'local' | 'utc'
  readonly motion: 'system' | 'reduced'
  /** Whether letters alone are shortcuts. */
  readonly letters: 'on' | 'off'
}

/** The first value of each is the default. */
export const choices = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  zone: ['local', 'utc'],
  motion: ['system', 'reduced'],
  letters: ['on', 'off'],
} as const satisfies { readonly [Name in keyof Preferences]: readonly Preferences[Name][] }

/** Preferences of a text of the storage, which another version of this page may have written. */
export function preferencesIn(text: string | null): Preferences {
  const found = objectIn(text)
  const valueOf = <Value extends string>(name: string, values: readonly [Value, ...Value[]]) =>
    values.find((value) => value === found.get(name)) ?? values[0]
  return {
    theme: valueOf('theme', choices.theme),
    density: valueOf('density', choices.density),
    zone: valueOf('zone', choices.zone),
    motion: valueOf('motion', choices.motion),
    letters: valueOf('letters', choices.letters),
  }
}

function objectIn(text: string | null): ReadonlyMap<string, unknown> {
  try {
    const found: unknown = JSON.parse(text ?? '{}')
    return new Map(typeof found === 'object' && found !== null ? Object.entries(found) : [])
  } catch {
    return new Map()
  }
}

export const preferences = signal(preferencesIn(null))
