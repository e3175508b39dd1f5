import { createHash } from 'node:crypto'
import { cp, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import { cached } from './cached.ts'
import { ensureGo } from './go-program.ts'
import type { Say } from '../host/progress.ts'

interface GoModule {
  /** Folder of main.go, go.mod, go.sum and left-out.json. */
  readonly source: string
  /** Begins the name of the folder in the cache. */
  readonly name: string
  /** The required module whose version is the version of the whole. */
  readonly release: string
}

interface Options {
  readonly what: string
  readonly usually: string
  readonly settings: ClusterSettings
  readonly say: Say
}

type Build = (folder: string, onLine: (line: string) => void, goMod: string) => Promise<void>

/** Answers a folder of the cache in which `build` built this program, keyed by all that it is made from. */
export async function goModule(
  { source, name, release }: GoModule,
  { what, usually, settings, say }: Options,
  build: Build,
): Promise<string> {
  const goMod = await readFile(path.join(source, 'go.mod'), 'utf8')
  const version = requiredVersion(goMod, release)
  const hash = await hashFolder(source)
  const key = `${name}-${version}-${process.platform}-${process.arch}-${hash}`
  const progress = { key, what: `building ${what} ${version} from its Go modules`, usually }
  return cached({ ...progress, settings, say }, async (partial, onLine) => {
    await ensureGo(say)
    await cp(source, partial, { recursive: true })
    await build(partial, onLine, goMod)
  })
}

/** @throws Error where go.mod does not name the release. */
export function requiredVersion(goMod: string, module: string): string {
  const line = new RegExp(`^\\s*(?:require )?${RegExp.escape(module)} (v\\d+\\.\\d+\\.\\d+)$`, 'm')
  const version = line.exec(goMod)?.[1]
  if (version === undefined) throw new Error(`go.mod requires no release of ${module}`)
  return version
}

async function hashFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
  const hash = createHash('sha256')
  for (const file of files) {
    hash
      .update(`${path.relative(folder, file)}\0`)
      .update(await readFile(file))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 12)
}
