import { childrenOf } from './read-xml.ts'
import type { XmlElement } from './read-xml.ts'

/** Systems by the UUID of their scheme (https://dashif.org/identifiers/content_protection). */
const systems: ReadonlyMap<string, string> = new Map([
  ['edef8ba9-79d6-4ace-a3c8-27dcd51d21ed', 'Widevine'],
  ['9a04f079-9840-4286-ab92-e65be0885f95', 'PlayReady'],
  ['94ce86fb-07ff-4f43-adb8-93d2fa968ca2', 'FairPlay'],
  ['e2719d58-a985-b3c9-781a-b030af78d30e', 'ClearKey'],
])

/** Protection of a representation; null: none. */
export function protectionOf(levels: readonly XmlElement[]): string | null {
  const schemes = levels
    .flatMap((level) => childrenOf(level, 'ContentProtection'))
    .map(({ attributes }) => (attributes['schemeIdUri'] ?? '').toLowerCase())
  if (schemes.length === 0) return null
  const named = schemes.flatMap((scheme) => systems.get(scheme.replace('urn:uuid:', '')) ?? [])
  return named.length === 0 ? 'Common Encryption' : [...new Set(named)].join(' and ')
}
