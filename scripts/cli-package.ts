import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { runCommand } from '../local-cluster/host/run-command.ts'
import packageFile from '../package.json' with { type: 'json' }

const root = path.resolve(import.meta.dirname, '..')

/**
 * `require()` of a module is on from 20.19, and `AbortSignal.any` is there from 20.3. commander names 22.12 as its least,
 * where `require()` of a module came without a warning; its code, which is bundled, uses nothing newer than 20.
 */
const leastNode = '20.19'

/** The tool has all of the client, which lies in `dist/shared.js` once. */
const entries = { 'cloud-ffmpeg': 'cli/main.ts', index: 'cli/exports/index.ts' } as const
const webhooksEntry = { webhooks: 'cli/exports/webhooks.ts' } as const
const browserEntry = { 'index.browser': 'cli/exports/index.browser.ts' } as const

/** The package that users install: the tool, the client, the verifier of webhooks; without dependencies. */
export const packageManifest = {
  name: packageFile.name,
  version: packageFile.version,
  description: 'Client and command line tool of Cloud FFmpeg, a self-hosted FFmpeg service',
  license: packageFile.license,
  type: 'module',
  engines: { node: `>=${leastNode}` },
  sideEffects: false,
  bin: { 'cloud-ffmpeg': 'dist/cloud-ffmpeg.js' },
  exports: {
    '.': { browser: exported('index.browser'), default: exported('index') },
    './webhooks': exported('webhooks'),
    './openapi.json': './openapi.json',
    './package.json': './package.json',
  },
}

function exported(name: string) {
  return { types: `./dist/types/cli/exports/${name}.d.ts`, default: `./dist/${name}.js` }
}

/** Writes the package into a folder, which it empties first. */
export async function writeCliPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await Promise.all([
    bundle(entries, { folder, platform: 'node', target: `node${leastNode}` }),
    bundle(webhooksEntry, { folder, platform: 'node', target: `node${leastNode}` }),
    // Browsers that have what the client of the console needs.
    bundle(browserEntry, { folder, platform: 'browser', target: 'es2023' }),
    writeTypes(folder),
    writeCompact(path.join(root, 'common/openapi/openapi.json'), path.join(folder, 'openapi.json')),
    copyFile(path.join(root, 'cli/README.md'), path.join(folder, 'README.md')),
    copyFile(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE')),
    // The bundle of the tool has its code.
    copyFile(
      path.join(root, 'node_modules/commander/LICENSE'),
      path.join(folder, 'LICENSE-commander'),
    ),
    writeFile(path.join(folder, 'package.json'), `${JSON.stringify(packageManifest, null, 2)}\n`),
  ])
}

/** The same JSON without its line breaks, which are a tenth of it. */
async function writeCompact(from: string, to: string): Promise<void> {
  await writeFile(to, JSON.stringify(JSON.parse(await readFile(from, 'utf8'))))
}

async function bundle(
  from: Readonly<Record<string, string>>,
  { folder, ...how }: { folder: string; platform: 'node' | 'browser'; target: string },
): Promise<void> {
  await build({
    ...how,
    entryPoints: Object.fromEntries(
      Object.entries(from).map(([name, file]) => [name, path.join(root, file)]),
    ),
    outdir: path.join(folder, 'dist'),
    bundle: true,
    splitting: true,
    chunkNames: 'shared',
    format: 'esm',
    legalComments: 'inline',
    minify: true,
    logLevel: 'warning',
  })
}

/** One declaration per source: a rolled-up file would need one more tool. */
async function writeTypes(folder: string): Promise<void> {
  const types = path.join(folder, 'dist/types')
  const settings = path.join(folder, 'tsconfig.json')
  await writeFile(
    settings,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        skipLibCheck: true,
        outDir: types,
        rootDir: root,
        types: ['node'],
        typeRoots: [path.join(root, 'node_modules/@types')],
      },
      include: [],
      files: [entries.index, webhooksEntry.webhooks, browserEntry['index.browser']].map((file) =>
        path.join(root, file),
      ),
    }),
  )
  await runCommand(path.join(root, 'node_modules/.bin/tsc'), ['--project', settings])
  await rm(settings)
  for (const name of await readdir(types, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const file = path.join(types, name)
    const text = await readFile(file, 'utf8')
    // Declarations keep the extension of the sources, which does not stand beside them.
    await writeFile(
      file,
      text.replaceAll(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'),
    )
  }
}
