import { UsageError } from '../terminal/usage-error.ts'

/** Stands for all files that the command creates. */
export const folderAlias = 'OUTPUT_FOLDER'

const prefixes = { input: 'in_', output: 'out_' } as const

/** Files by alias: `NAME=FILE`, or a file alone, which gets the next free number. @throws UsageError */
export function filesByAlias(
  option: 'input' | 'output',
  texts: readonly string[] = [],
): Map<string, string> {
  const prefix = prefixes[option]
  const hasName = (text: string): boolean =>
    new RegExp(`^(?:${prefix}\\w*|${folderAlias})=`).test(text)
  const given = pairs(option, texts.filter(hasName), `${prefix}1=clip.mov`)
  const found = new Map<string, string>()
  for (const text of texts) {
    if (hasName(text)) {
      const name = text.slice(0, text.indexOf('='))
      found.set(name, given.get(name) ?? '')
      continue
    }
    if (text === '') throw new UsageError(`--${option} takes a file, not ''`)
    // The service writes a playlist with its segments for an output of this name only.
    const own = option === 'output' && /\.m3u8$/i.test(text) ? `${prefix}playlist_` : prefix
    let number = 1
    while (given.has(`${own}${number}`) || found.has(`${own}${number}`)) number += 1
    found.set(`${own}${number}`, text)
  }
  return found
}

/** `{{in}}` and `{{out}}` stand for the one input and the one output. @throws UsageError if there are several */
export function withNames(
  text: string,
  inputs: readonly string[],
  outputs: readonly string[],
): string {
  const aliasFor = (short: string, aliases: readonly string[]): string => {
    const [only] = aliases
    if (aliases.length === 1 && only !== undefined) return `{{${only}}}`
    const all = aliases.map((alias) => `{{${alias}}}`).join(', ') || 'none'
    throw new UsageError(`{{${short}}} needs exactly one ${short}put; you have ${all}`)
  }
  return text
    .replaceAll(/\{\{in\}\}/g, () => aliasFor('in', inputs))
    .replaceAll(/\{\{out\}\}/g, () => aliasFor('out', outputs))
}

/** Values by name. @throws UsageError for a value without a name, or a name given twice */
export function pairs(
  option: string,
  texts: readonly string[] = [],
  example: string,
): Map<string, string> {
  const found = new Map<string, string>()
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || value === undefined || value === '') {
      throw new UsageError(`--${option} takes NAME=VALUE (--${option} ${example}), not '${text}'`)
    }
    if (found.has(name)) throw new UsageError(`--${option} ${name} is given twice`)
    found.set(name, value)
  }
  return found
}
