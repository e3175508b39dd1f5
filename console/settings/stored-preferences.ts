import { preferences, preferencesIn } from '../parts/preferences.ts'
import type { Preferences } from '../parts/preferences.ts'

const storageName = 'cloud-ffmpeg.preferences'

/** Applies what is stored, before the first drawing. */
export function openPreferences(): void {
  apply(preferencesIn(localStorage.getItem(storageName)))
}

export function prefer(change: Partial<Preferences>): void {
  apply({ ...preferences.value, ...change })
  localStorage.setItem(storageName, JSON.stringify(preferences.value))
}

export function forgetPreferences(): void {
  localStorage.removeItem(storageName)
  apply(preferencesIn(null))
}

/** The style sheet reads the attributes. */
function apply(chosen: Preferences): void {
  preferences.value = chosen
  const { dataset } = document.documentElement
  dataset['theme'] = chosen.theme
  dataset['density'] = chosen.density
  dataset['motion'] = chosen.motion
}
