import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes which font the filter drawtext takes for which name, and which characters that font has,
 * into a folder of the image: drawtext draws a box for each other one and says nothing.
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: node write-font-table.ts FOLDER')

const families = names(query('fc-list', '--format', '%{family}\n').split(/[,\n]/))
const taken = new Map(families.map((name) => [name, matchOf(name)]))
const other = matchOf('Sans')
// names that stand for others: Arial, serif
const aliases = new Map(
  configuredNames()
    .filter((name) => !taken.has(name))
    .map((name): [string, Match] => [name, matchOf(name)])
    .filter(([, { file }]) => file !== other.file),
)

const table = {
  otherwise: other.file,
  families: filesOf(taken),
  aliases: filesOf(aliases),
  characters: charactersOf([other, ...taken.values(), ...aliases.values()]),
}
mkdirSync(folder, { recursive: true })
writeFileSync(path.join(folder, 'fonts.json'), `${JSON.stringify(table, null, 2)}\n`)

type Match = { file: string; characters: string }

function matchOf(name: string): Match {
  // as drawtext does: it looks for a family of the name `default` before the one it is given
  const pattern = `default,${name.replace(/[\\,:-]/g, '\\$&')}`
  const match = query('fc-match', '--format', '%{file}\t%{charset}', pattern)
  const [file = '', characters = ''] = match.split('\t')
  return { file: path.basename(file), characters }
}

function configuredNames(): string[] {
  const config = '/etc/fonts/conf.d'
  const texts = readdirSync(config).map((file) => readFileSync(path.join(config, file), 'utf8'))
  return names(texts.flatMap((text) => text.match(/(?<=<family>)[^<]+/g) ?? []))
}

function names(listed: readonly string[]): string[] {
  const unique = new Set(listed.map((name) => name.trim()).filter((name) => name !== ''))
  return [...unique].toSorted()
}

function filesOf(matches: ReadonlyMap<string, Match>): Record<string, string> {
  return Object.fromEntries([...matches].map(([name, { file }]) => [name, file]))
}

function charactersOf(matches: readonly Match[]): Record<string, string> {
  const rows = matches.map(({ file, characters }): [string, string] => [file, characters])
  return Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function query(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' })
}
