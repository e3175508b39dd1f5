import { isRecord } from '../../local-cluster/host/run-command.ts'

/**
 * Whether a command printed what a document shows below it; `…` stands for any characters. JSON is
 * compared by value, because documents lay it out as people read it.
 */
export function isShown(language: string, shown: string, printed: string): boolean {
  if (language !== 'json') return fits(shown.trim(), printed.trim())
  return sameValue(JSON.parse(shown), parsed(printed))
}

function sameValue(shown: unknown, found: unknown): boolean {
  if (typeof shown === 'string') return typeof found === 'string' && fits(shown, found)
  if (Array.isArray(shown)) {
    return (
      Array.isArray(found) &&
      shown.length === found.length &&
      shown.every((one, index) => sameValue(one, found[index]))
    )
  }
  if (!isRecord(shown)) return shown === found
  return (
    isRecord(found) &&
    Object.keys(found).length === Object.keys(shown).length &&
    Object.entries(shown).every(([key, one]) => key in found && sameValue(one, found[key]))
  )
}

function fits(shown: string, found: string): boolean {
  const parts = shown.split('…').map((part) => RegExp.escape(part))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(found)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
