import { copyFile, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startShell } from '../../testing/documents/start-shell.ts'
import { environmentFile } from '../../scripts/quickstart/environment-file.ts'
import { freeAccountKey } from '../../scripts/quickstart/free-account.ts'
import type { Shell } from '../../testing/documents/start-shell.ts'
import type { Environment } from '../steps/environment.ts'

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Makes a folder of links to the files of the repository, whose `.quickstart` belongs to the installation of the stories.
 * @returns its path, in which a user would paste commands
 */
export async function makeClone(env: Environment): Promise<string> {
  const folder = path.join(env.folder, 'clone')
  await rm(folder, { recursive: true, force: true })
  await mkdir(path.join(folder, '.quickstart'), { recursive: true })
  for (const entry of await readdir(root)) {
    if (entry === '.quickstart' || entry === '.test-artifacts') continue
    await symlink(path.join(root, entry), path.join(folder, entry))
  }
  const { cluster, installed } = env
  // A copy, as quickstart makes one: a document may change the namespace of its context.
  const kubeconfig = path.join(folder, '.quickstart/kubeconfig')
  await copyFile(cluster.kubeconfig, kubeconfig)
  const { url, apiKey, namespace } = installed
  const file = environmentFile({
    CLOUD_FFMPEG_URL: url,
    CLOUD_FFMPEG_API_KEY: apiKey,
    CLOUD_FFMPEG_FREE_API_KEY: await freeAccountKey({
      cluster,
      namespace,
      url,
      known: null,
      say: (text) => console.log(`  ${text}`),
    }),
    CLOUD_FFMPEG_HOST_ADDRESS: cluster.hostAddress,
    SAMPLE: env.origin.url('clip.mp4'),
    SAMPLES: env.origin.url('.').slice(0, -2),
    KUBECONFIG: kubeconfig,
    programs: [cluster.kubectl, cluster.helm],
  })
  await writeFile(path.join(folder, '.quickstart/env'), file)
  return folder
}

/** A shell in the folder of `makeClone`, with nothing else of this process than its programs. */
export function openShell(folder: string): Shell {
  const { PATH, HOME } = process.env
  return startShell({ folder, env: { PATH, HOME } })
}
