import { build } from 'esbuild'
import type { Metafile, Plugin } from 'esbuild'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'

/** The programs of the runner image; each becomes one file, because files cost time at every start. */
export const runnerPrograms = {
  supervisor: 'ffmpeg/main.ts',
  transfer: 'transfer/main.ts',
} as const

/**
 * Writes `NAME.mjs` for each program. The answer names the sources, relative to this folder.
 * @throws if a source does not resolve, with esbuild's own message
 */
export async function bundleRunner(
  folder: string,
  programs: Readonly<Record<string, string>> = runnerPrograms,
): Promise<Metafile> {
  const { metafile } = await build({
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
    // Names stay: stack traces name functions, not letters, and esbuild's way to keep the names of
    // shortened functions is a call for each closure that is made, for every chunk of a download
    // too.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'inline',
    logLevel: 'warning',
    metafile: true,
    plugins: [builtinsAtFirstUse],
  })
  return metafile
}

/**
 * Loads each built-in module at its first use. An `import` of one makes Node read all of its
 * exports at once, and some of `node:http` load a whole HTTP client and WebSockets; TLS initialises
 * OpenSSL. Together that takes longer than the rest of a start, before a runner has requested its
 * assignment.
 */
const builtinsAtFirstUse: Plugin = {
  name: 'builtins-at-first-use',
  setup(plugin) {
    const namespace = 'builtin'
    // CommonJS packages require them without the prefix, and no module has a `require` here.
    plugin.onResolve({ filter: /^[a-z_:/0-9]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, namespace } : null,
    )
    // A prototype: esbuild copies the own properties of a module, a thousand in all, at each start.
    plugin.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `
        const get = (_, key) => process.getBuiltinModule(${JSON.stringify(path)})[key]
        module.exports = Object.create(new Proxy({}, { get }))`,
    }))
  },
}
