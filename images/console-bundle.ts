import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { readRecipes } from '../console/draft/recipes/read-recipes.ts'
import { compress } from './compress.ts'
import type { Metafile, Plugin } from 'esbuild'

const source = path.resolve(import.meta.dirname, '../console')

/** Names of the files that the page of the console loads first. */
export interface ConsoleManifest {
  readonly script: string
  readonly style: string
  /** Files that the script imports at once, and theirs. */
  readonly chunks: readonly string[]
}

/**
 * Writes the console as static files with hashed names, each with a `.gz` and a `.br` beside it, and
 * `manifest.json`. The folder is replaced at once, so that a server that starts meanwhile finds a
 * whole one; the same sources give the same bytes, and so the same image.
 */
export async function bundleConsole(folder: string): Promise<void> {
  const partial = `${folder}.${process.pid}`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  const main = path.join(source, 'main.tsx')
  const { metafile } = await build({
    entryPoints: { console: main },
    outdir: partial,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'chrome125', 'firefox128', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'inline',
    plugins: [recipesPlugin],
    logLevel: 'warning',
  })
  // Parts that are imported later are entry points for esbuild too.
  const [script = '', { cssBundle = '' } = {}] =
    Object.entries(metafile.outputs).find(
      ([, { entryPoint }]) => entryPoint === path.relative(process.cwd(), main),
    ) ?? []
  const manifest: ConsoleManifest = {
    script: path.basename(script),
    style: path.basename(cssBundle),
    chunks: importedBy(metafile, script).map((file) => path.basename(file)),
  }
  for (const file of await readdir(partial)) await compress(path.join(partial, file), ['gz', 'br'])
  await writeFile(path.join(partial, 'manifest.json'), JSON.stringify(manifest))
  await rm(folder, { recursive: true, force: true })
  await rename(partial, folder)
}

/** A browser that learns of them by the page does not wait for the script first. */
function importedBy({ outputs }: Metafile, file: string, known: string[] = []): string[] {
  for (const { path: imported, kind } of outputs[file]?.imports ?? []) {
    if (kind !== 'import-statement' || known.includes(imported)) continue
    known.push(imported)
    importedBy({ inputs: {}, outputs }, imported, known)
  }
  return known
}

/** The playground's recipes are those of the document, which the tests run. */
const recipesPlugin: Plugin = {
  name: 'recipes',
  setup(bundler) {
    bundler.onLoad({ filter: /\/docs\/recipes\.md$/ }, async ({ path: file }) => ({
      contents: JSON.stringify(readRecipes(await readFile(file, 'utf8'))),
      loader: 'json',
      watchFiles: [file],
    }))
  },
}
