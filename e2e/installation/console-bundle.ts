import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'esbuild'

const source = path.resolve(import.meta.dirname, '../../console')

/** Names of the files that the page of the console loads first. */
export interface ConsoleManifest {
  readonly script: string
  readonly style: string
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
  const { metafile } = await build({
    entryPoints: {
      console: path.join(source, 'main.tsx'),
      style: path.join(source, 'style/console.css'),
    },
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
    logLevel: 'warning',
  })
  const named = (end: string) =>
    Object.entries(metafile.outputs)
      .filter(([file, { entryPoint }]) => entryPoint !== undefined && file.endsWith(end))
      .map(([file]) => path.basename(file))[0] ?? ''
  const manifest: ConsoleManifest = { script: named('.js'), style: named('.css') }
  for (const file of await readdir(partial)) await compress(path.join(partial, file))
  await writeFile(path.join(partial, 'manifest.json'), JSON.stringify(manifest))
  await rm(folder, { recursive: true, force: true })
  await rename(partial, folder)
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
}
