import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The console as `npm run build-console` writes it, in memory: it is small, and read often. */
export interface ConsoleFiles {
  readonly script: string
  readonly style: string
  /** Files that the script imports at once. */
  readonly chunks: readonly string[]
  /** null for a name that the console does not have. */
  find(name: string): ConsoleFile | null
}

type Manifest = Pick<ConsoleFiles, 'script' | 'style' | 'chunks'>

export interface ConsoleFile {
  readonly type: string
  /** Keys are content codings. */
  readonly bytes: Readonly<Record<'identity' | 'gzip' | 'br', Buffer>>
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** @returns null where the console has not been built */
export function readConsoleFiles(folder: string): ConsoleFiles | null {
  const manifest = readManifest(path.join(folder, 'manifest.json'))
  if (manifest === null) return null
  const read = (name: string) => readFileSync(path.join(folder, name))
  const files = new Map<string, ConsoleFile>()
  for (const name of readdirSync(folder)) {
    const type = types[path.extname(name)]
    if (type === undefined) continue
    const bytes = { identity: read(name), gzip: read(`${name}.gz`), br: read(`${name}.br`) }
    files.set(name, { type, bytes })
  }
  return { ...manifest, find: (name) => files.get(name) ?? null }
}

function readManifest(file: string): Manifest | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
