import { isRecord } from '../../../local-cluster/host/run-command.ts'

/** A recipe of docs/recipes.md: what to type, and what is said of the result. */
export interface Recipe {
  readonly title: string
  /** Text for a shell, as it stands there. */
  readonly call: string
  /** Keys are those of `output_files`, values the fields that each record has. */
  readonly outputs: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Same keys; streams in FFmpeg's order: `video h264 640x360`, `audio aac`. */
  readonly streams: ReadonlyMap<string, readonly string[]>
  /** Some of the files in a zip or a playlist. */
  readonly files: ReadonlyMap<string, readonly string[]>
  /** LUFS. */
  readonly loudness: ReadonlyMap<string, number>
  /** Texts that the command's logs have in them. */
  readonly logs: readonly string[]
}

/**
 * Reads every section under a heading of the third level.
 * @throws where one of them has not exactly one call, or says something that cannot be compared
 */
export function readRecipes(markdown: string): Recipe[] {
  const [, ...sections] = markdown.split(/^### /m)
  return sections.map((section) => readRecipe(section.split(/^## /m)[0] ?? ''))
}

function readRecipe(section: string): Recipe {
  const [title = ''] = section.split('\n', 1)
  const blocks = (language: string): string[] =>
    [...section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
      ([, text = '']) => text,
    )
  const only = (language: string): string => {
    const [block, ...more] = blocks(language)
    if (block === undefined || more.length > 0) {
      throw new Error(`"${title}" needs exactly one block of ${language}`)
    }
    return block
  }
  const prose = section.replaceAll(/^```.*?^```$/gms, '')
  const said = (what: string): Map<string, string> =>
    new Map(
      [...prose.matchAll(new RegExp(`^${what} of \`(\\w+)\`: (.+)\\.$`, 'gm'))].map(
        ([, key = '', text = '']) => [key, text],
      ),
    )
  const outputs = fieldsByOutput(title, JSON.parse(only('json')))
  const statements = {
    streams: mapped(said('Streams'), (text) => text.split(', ')),
    files: mapped(said('Files'), quoted),
    loudness: mapped(said('Loudness'), (text) => Number.parseFloat(text)),
  }
  for (const key of Object.values(statements).flatMap((each) => [...each.keys()])) {
    if (!(key in outputs)) throw new Error(`"${title}" has no ${key} that it speaks of`)
  }
  const logs = quoted(/^Logs: (.+)\.$/m.exec(prose)?.[1] ?? '')
  return { title, call: only('sh'), outputs, ...statements, logs }
}

function fieldsByOutput(title: string, value: unknown): Record<string, Record<string, unknown>> {
  if (!isRecord(value)) throw new Error(`"${title}": the result is not an object`)
  return Object.fromEntries(
    Object.entries(value).map(([key, fields]) => {
      if (!isRecord(fields)) throw new Error(`"${title}": the result of ${key} is not an object`)
      return [key, fields]
    }),
  )
}

function mapped<T>(said: ReadonlyMap<string, string>, read: (text: string) => T): Map<string, T> {
  return new Map([...said].map(([key, text]) => [key, read(text)]))
}

function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}
