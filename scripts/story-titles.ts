import { readFile } from 'node:fs/promises'

/** Titles of the stories in these files, read from the source: what does not run cannot hide. */
export async function storyTitles(files: readonly string[]): Promise<string[]> {
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return sources.flatMap((source) =>
    [...source.matchAll(/^ *it(?:\.only|\.skip)?\(\s*(['"`])(.+?)\1,/gms)].map(
      ([, , title = '']) => title,
    ),
  )
}
