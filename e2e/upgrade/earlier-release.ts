import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../../local-cluster/host/run-command.ts'
import type { ArchivedImage } from '../../local-cluster/host/types.ts'
import type { ClusterSettings } from '../../local-cluster/host/settings.ts'
import type { Say } from '../../local-cluster/host/progress.ts'

export interface EarlierRelease {
  /** Folder of its chart. */
  readonly chart: string
  readonly images: Readonly<Record<'apiServer' | 'operator' | 'runner', ArchivedImage>>
}

const root = path.resolve(import.meta.dirname, '../..')

/** Files of a release that export `buildImages` and `clusterSettings`, newest layout first. */
const layouts = [
  ['images/build-images.ts', 'local-cluster/host/settings.ts'],
  ['e2e/installation/images.ts', 'e2e/cluster/host/settings.ts'],
] as const

/**
 * Chart and images of an earlier release from its git tree, built by its own programs with the packages of its own lock
 * file. A tree that was unpacked before is used again.
 * @param ref what git knows it by: a tag or a commit
 * @throws CommandFailed where git does not know it, or it cannot be built
 */
export async function earlierRelease(
  ref: string,
  { settings, say }: { readonly settings: ClusterSettings; readonly say: Say },
): Promise<EarlierRelease> {
  const commit = (
    await runCommand('git', ['-C', root, 'rev-parse', '--verify', `${ref}^{commit}`])
  ).trim()
  const folder = path.join(settings.cacheFolder, 'releases', commit)
  if (!existsSync(folder)) await unpack(commit, folder, say)
  say(`building the images of ${ref} (usually 1 to 4 min)`)
  const [builder, settingsReader] =
    layouts.find(([file]) => existsSync(path.join(folder, file))) ?? layouts[0]
  // The earlier release runs its own programs in another process: modules of two releases must not mix.
  const program = `
    import { buildImages } from './${builder}'
    import { clusterSettings } from './${settingsReader}'
    const say = (text) => console.error(text)
    const registry = 'registry.e2e'
    const tag = '${commit.slice(0, 12)}'
    const images = await buildImages({ registry, tag, settings: clusterSettings(process.env), say })
    console.log(JSON.stringify(images))`
  const node = path.join(folder, 'node_modules/.bin/node')
  const printed = await runCommand(node, ['--input-type=module-typescript', '--eval', program], {
    cwd: folder,
    onLine: say,
  })
  const images = JSON.parse(printed) as EarlierRelease['images']
  return { chart: path.join(folder, 'charts/cloud-ffmpeg'), images }
}

async function unpack(commit: string, folder: string, say: Say): Promise<void> {
  say(`unpacking ${commit} and installing its packages (usually 1 min)`)
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { recursive: true })
  const archive = `git -C "$0" archive "$1" | tar -x -C "$2"`
  await runCommand('/bin/sh', ['-c', archive, root, commit, unfinished])
  await runCommand('npm', ['ci'], { cwd: unfinished })
  await rename(unfinished, folder)
}
