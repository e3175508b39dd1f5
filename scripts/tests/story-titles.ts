import { readFile } from 'node:fs/promises'

/** Titles of the stories in these files, read from the source, so that a story that does not run is noticed. */
export async function storyTitles(files: readonly string[]): Promise<string[]> {
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return sources.flatMap(titlesIn)
}

export function titlesIn(source: string): string[] {
  return [...source.matchAll(/^ *it(?:\.only|\.skip)?\(\s*(['"`])(.+?)\1,/gms)].map(
    ([, , title = '']) => title,
  )
}

/** Whether a story of this title ran; `${…}` in it matches any text that a table of cases inserts. */
export function hasRun(title: string, fullTitles: readonly string[]): boolean {
  const parts = title.split(/\$\{[^}]*\}/).map((part) => RegExp.escape(part))
  const pattern = new RegExp(`${parts.join('.+')}$`, 's')
  return fullTitles.some((ran) => pattern.test(ran))
}
