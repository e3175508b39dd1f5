import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { imageNeeds, installMissing } from '../tools/debian-packages.ts'
import type { Say } from '../host/progress.ts'
import { writeFileWhole } from '../host/write-file-whole.ts'

/** Runs buildah with a storage of its own and without any registry. */
export type Buildah = (args: readonly string[], onLine?: (line: string) => void) => Promise<string>

export async function createBuildah(settings: ClusterSettings, say: Say): Promise<Buildah> {
  await installMissing(imageNeeds, say)
  const folder = path.join(settings.cacheFolder, 'buildah')
  await mkdir(folder, { recursive: true })
  const registries = path.join(folder, 'registries.conf')
  // a name that is not in the storage is an error here, never a download
  await writeFileWhole(
    registries,
    'unqualified-search-registries = []\nshort-name-mode = "disabled"\n',
  )
  const storage = [
    '--root',
    path.join(folder, 'storage'),
    '--runroot',
    path.join(folder, 'run'),
    '--storage-driver',
    'overlay',
  ]
  return (args, onLine) =>
    runCommand('buildah', [...storage, ...args], {
      env: { CONTAINERS_REGISTRIES_CONF: registries },
      ...(onLine === undefined ? {} : { onLine }),
    })
}
