import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { hashContext } from '../local-cluster/images/build-context.ts'
import { runCommand } from '../local-cluster/host/run-command.ts'
import { clusterSettings } from '../local-cluster/host/settings.ts'
import { cached } from '../local-cluster/tools/cached.ts'
import { withLock } from '../local-cluster/tools/lock.ts'
import { sources } from '../docs/.vitepress/site-pages.ts'
import { compress } from './compress.ts'

const root = path.resolve(import.meta.dirname, '..')

/** Facts about the site for its server. */
interface DocsManifest {
  /** Sources of a policy that allow the inline scripts and styles of the pages. */
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** Sources of the site, relative to the repository; VitePress writes to its own folder meanwhile. */
const inputs = [
  ...sources,
  ...[
    'api-calls.ts',
    'config.ts',
    'github-slug.ts',
    'search-roles.ts',
    'search-words.ts',
    'site-pages.ts',
    'theme',
  ].map((name) => `docs/.vitepress/${name}`),
  'common/openapi/openapi.json',
  'console',
  'package.json',
  'package-lock.json',
  'images/docs-bundle.ts',
  'images/compress.ts',
]

/** The site of `/docs` in the cache, built where its sources have changed. @returns its folder */
export async function builtDocs(say: (text: string) => void = () => undefined): Promise<string> {
  const settings = clusterSettings(process.env)
  const hash = await hashContext({ context: root, inputs }, settings.cacheFolder)
  const key = `docs-${hash.slice(0, 16)}`
  return cached({ key, what: 'building the docs', usually: '5 s', settings, say }, writeDocs)
}

/** Copies the site to where a server has it. */
export async function copyDocs(folder: string): Promise<void> {
  const built = await builtDocs()
  await rm(folder, { recursive: true, force: true })
  await cp(built, folder, { recursive: true })
}

/**
 * Writes the site as static files, by VitePress. Each has a `.gz` beside it; `manifest.json` is the last. The same
 * sources give the same bytes, and so the same image.
 * @throws CommandFailed if a link of a guide is dead, with its place
 */
export async function writeDocs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const program = path.join(root, 'node_modules/vitepress/bin/vitepress.js')
  const build = () =>
    runCommand(process.execPath, [program, 'build', 'docs', '--outDir', folder], { cwd: root })
  // VitePress has one folder for its intermediate files.
  await withLock(path.join(root, 'docs/.vitepress/.lock'), () => undefined, build)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const pages = await Promise.all(
    files.filter((file) => file.endsWith('.html')).map((file) => readFile(file, 'utf8')),
  )
  for (const file of files) await compress(file, ['gz'])
  const manifest: DocsManifest = {
    scripts: hashes(pages, /<script(?: id="[^"]*")?>([^]*?)<\/script>/g),
    styles: hashes(pages, /<style>([^]*?)<\/style>/g),
  }
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest))
}

/** Hash of each text that a pattern finds in the pages, without duplicates. */
function hashes(pages: readonly string[], pattern: RegExp): string[] {
  const texts = pages.flatMap((page) => [...page.matchAll(pattern)].map(([, text = '']) => text))
  const sources = texts.map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [...new Set(sources)].toSorted()
}
