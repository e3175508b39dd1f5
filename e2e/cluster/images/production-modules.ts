import { createHash } from 'node:crypto'
import { cp, glob, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { isRecord } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { cached, exists } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'

/**
 * Answers a node_modules folder with the dependencies of production alone, as the lockfile has them: copied from the installed
 * ones, because a second `npm ci` for them would take half a minute of a first start.
 */
export async function productionModules({
  root,
  settings,
  say,
}: {
  /** Folder of package-lock.json and of the node_modules installed from it. */
  readonly root: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const lock = await readFile(path.join(root, 'package-lock.json'), 'utf8')
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16)
  const key = `production-modules-4-${hash}`
  const what = 'copying the npm packages of the images'
  const folder = await cached(
    { key, what, usually: '1 to 5 s', settings, say },
    async (partial) => {
      for (const { place, optional } of productionPackages(JSON.parse(lock))) {
        const from = path.join(root, place)
        // for another platform
        if (optional && !(await exists(from))) continue
        const own = (file: string) => path.relative(from, file) !== 'node_modules'
        await cp(from, path.join(partial, place), { recursive: true, filter: own })
      }
      await removeUnread(path.join(partial, 'node_modules'))
    },
  )
  return path.join(folder, 'node_modules')
}

interface LockedPackage {
  /** Relative to the lockfile: `node_modules/a/node_modules/b`. */
  readonly place: string
  /** Not an error where it is not installed. */
  readonly optional: boolean
}

/**
 * What `npm ci --omit=dev` would install, from a lockfile of version 3
 * (https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json#packages).
 */
export function productionPackages(lock: unknown): LockedPackage[] {
  if (!isRecord(lock) || lock['lockfileVersion'] !== 3 || !isRecord(lock['packages'])) {
    throw new Error('package-lock.json is not of lockfileVersion 3')
  }
  return Object.entries(lock['packages']).flatMap(([place, entry]) => {
    // '' is the project itself
    if (place === '' || !isRecord(entry) || entry['dev'] === true) return []
    return [{ place, optional: entry['optional'] === true || entry['devOptional'] === true }]
  })
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
