import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ClusterSettings } from '../settings.ts'
import { cached } from './cached.ts'
import type { Say } from './progress.ts'

interface GoModule {
  /** Folder of main.go, go.mod and go.sum. */
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
  const texts = await Promise.all(files.map((file) => readFile(path.join(source, file), 'utf8')))
  const [, goMod = ''] = texts
  const version = requiredVersion(goMod, release)
  const hash = createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 12)
  const key = `${name}-${version}-${process.platform}-${process.arch}-${hash}`
  const told = { key, what: `building ${what} ${version} from its Go modules`, usually }
  return cached({ ...told, settings, say }, async (partial, onLine) => {
    await mkdir(partial, { recursive: true })
    for (const file of files) await copyFile(path.join(source, file), path.join(partial, file))
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

const files = ['main.go', 'go.mod', 'go.sum'] as const
