import { build } from 'esbuild'
import { join } from 'node:path'

/** The programs of the runner image; each becomes one file, because files cost time at every start. */
export const runnerPrograms = {
  supervisor: 'ffmpeg/main.ts',
  transfer: 'transfer/main.ts',
} as const

/**
 * Writes `NAME.mjs` for each program.
 * @throws where a source does not resolve, with esbuild's own message
 */
export async function bundleRunner(
  folder: string,
  programs: Readonly<Record<string, string>> = runnerPrograms,
): Promise<void> {
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: Object.entries(programs).map(([out, source]) => ({
      out,
      in: join(import.meta.dirname, source),
    })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minify: true,
    // stack traces name functions, not letters
    keepNames: true,
    legalComments: 'inline',
    logLevel: 'warning',
    // packages in the older module format ask for Node's modules by this function
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
}
