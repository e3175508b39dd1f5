import { createHash } from 'node:crypto'
import { copyFile, glob, mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../run-command.ts'
import type { ClusterSettings } from '../settings.ts'
import { cached } from '../tools/cached.ts'
import type { Say } from '../tools/progress.ts'

/**
 * Answers a node_modules folder with the dependencies of production alone, as the lockfile has them. Made outside the image
 * build, where npm has this machine's settings (registry, certificates) without leaving them in a layer.
 */
export async function productionModules({
  root,
  settings,
  say,
}: {
  /** Folder of package.json and package-lock.json. */
  readonly root: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const lock = await readFile(path.join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const key = `production-modules-3-${hash}`
  const what = 'installing the npm packages of the images'
  const folder = await cached(
    { key, what, usually: '5 to 30 s', settings, say },
    async (partial) => {
      await mkdir(partial, { recursive: true })
      for (const name of ['package.json', 'package-lock.json']) {
        await copyFile(path.join(root, name), path.join(partial, name))
      }
      // What the first `npm ci` of this machine fetched is not asked for again.
      const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
      await runCommand('npm', ['ci', '--omit=dev', '--ignore-scripts', ...quiet], { cwd: partial })
      await removeUnread(path.join(partial, 'node_modules'))
    },
  )
  return path.join(folder, 'node_modules')
}

/** Half of it: declarations, source maps, manuals. Licences stay. */
async function removeUnread(modules: string): Promise<void> {
  const unread = [
    '**/*.{d.ts,d.mts,d.cts,map,md}',
    // The docs page reads one of the five builds of Swagger UI.
    'swagger-ui-dist/swagger-ui{,-es-bundle,-es-bundle-core,-standalone-preset}.js',
  ]
  for await (const file of glob(unread, { cwd: modules })) {
    if (!/licen[cs]e/i.test(path.basename(file)))
      await rm(path.join(modules, file), { force: true })
  }
}
