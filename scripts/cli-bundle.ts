import path from 'node:path'
import { build } from 'esbuild'

/** Writes `cloud-ffmpeg.mjs`: the command line tool in one file, without dependencies. */
export async function bundleCli(folder: string): Promise<void> {
  await build({
    entryPoints: { 'cloud-ffmpeg': path.resolve(import.meta.dirname, '../cli/main.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node18.17',
    format: 'esm',
    legalComments: 'inline',
    logLevel: 'warning',
  })
}
