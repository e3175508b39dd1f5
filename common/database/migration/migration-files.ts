import { readdir, readFile } from 'node:fs/promises'

/**
 * expand: adds what newer programs use, and older ones still run. backfill: fills it, batch by batch.
 * contract: removes what only older programs use.
 */
export type Phase = 'expand' | 'backfill' | 'contract'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly phase: Phase
  /** Level of the oldest program that may run on the schema once this file has begun. */
  readonly oldest: number
  readonly text: string
  /** Empty for files up to `lastWhole`, which run as a whole. */
  readonly steps: readonly Step[]
}

export interface Step {
  /** Unique in its file. */
  readonly name: string
  readonly sql: string
}

/** Files up to this one were written for one transaction; later ones run step by step. */
export const lastWhole = 8

/** All files, oldest first; read once in a process. */
export function migrationFiles(): Promise<readonly Migration[]> {
  found ??= readFolder(new URL('../migrations/', import.meta.url))
  return found
}

let found: Promise<readonly Migration[]> | undefined

async function readFolder(folder: URL): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name))
  return Promise.all(
    names
      .toSorted()
      .map(async (name) => parseMigration(name, await readFile(new URL(name, folder), 'utf8'))),
  )
}

/**
 * Reads the head of a file (`-- phase: expand`, `-- oldest: 8`) and its steps, each of which begins
 * with a line `-- step: NAME`.
 * @param fileName `0009_fairness.sql`
 * @throws if the head or a step does not say what it must
 */
export function parseMigration(fileName: string, text: string): Migration {
  const fail = (problem: string) => new Error(`migration ${fileName}: ${problem}`)
  const version = Number(fileName.slice(0, 4))
  const phase = phases.find((known) => known === value(text, 'phase'))
  if (phase === undefined) {
    throw fail(`must say '-- phase: ${phases.join(' | ')}'; got '${value(text, 'phase')}'`)
  }
  const oldest = Number(value(text, 'oldest'))
  if (!(Number.isInteger(oldest) && oldest > 0 && oldest <= version)) {
    throw fail(`must say '-- oldest: N' with N from 1 to ${version}`)
  }
  const [, ...pieces] = text.split(/^-- step: */m)
  const steps = pieces.map((piece) => {
    const [name = '', ...lines] = piece.split('\n')
    return { name: name.trim(), sql: lines.join('\n').trim() }
  })
  const unnamed = steps.find(({ name }) => !/^[a-z][a-z0-9_]*$/.test(name))
  if (unnamed !== undefined)
    throw fail(`'${unnamed.name}' is not the name of a step: use a-z, 0-9, _`)
  if (new Set(steps.map(({ name }) => name)).size < steps.length) {
    throw fail('two steps have the same name')
  }
  if (version > lastWhole && steps.length === 0) throw fail(`must have a step: '-- step: NAME'`)
  return { version, name: fileName.slice(5, -4), phase, oldest, text, steps }
}

const phases: readonly Phase[] = ['expand', 'backfill', 'contract']

function value(text: string, name: string): string | undefined {
  return new RegExp(`^-- ${name}: *(\\S+) *$`, 'm').exec(text)?.[1]
}
