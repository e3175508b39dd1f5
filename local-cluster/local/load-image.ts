import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { ArchivedImage } from '../host/types.ts'
import { runCommand } from '../host/run-command.ts'
import { exists } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'
import { waitFor } from '../host/wait-for.ts'
import { writeFileWhole } from '../host/write-file-whole.ts'
import type { LocalLayout } from './layout.ts'

/** Loads images once containerd answers, which is seconds before the node is Ready. */
export async function loadImages(
  layout: LocalLayout,
  images: Promise<readonly ArchivedImage[]>,
  say: Say,
): Promise<void> {
  const archived = await images.catch(() => [])
  if (archived.length === 0) return
  await waitFor(() => containerdAnswers(layout), { what: 'containerd' })
  for (const image of archived) await loadImage(layout, { ...image, say })
}

async function containerdAnswers(layout: LocalLayout): Promise<boolean> {
  try {
    await runCommand('ctr', ['--address', layout.containerdSocket, 'version'])
    return true
  } catch {
    // not yet
    return false
  }
}

/** Imports a docker or OCI archive into the node's containerd, unless the node has this very archive already. */
export async function loadImage(
  layout: LocalLayout,
  { archive, name, say }: ArchivedImage & { readonly say: Say },
): Promise<void> {
  const ctr = (...args: string[]) =>
    runCommand('ctr', ['--address', layout.containerdSocket, '--namespace', 'k8s.io', ...args])
  const marks = path.join(layout.folder, 'loaded')
  const mark = path.join(marks, encodeURIComponent(name))
  const names = async () => (await ctr('images', 'list', '--quiet')).split('\n')
  // the archive's file name carries a hash of its content
  if ((await names()).includes(name) && (await contentOf(mark)) === archive) return
  say(`loading image ${name} (usually 1 to 6 s)`)
  await ctr('images', 'import', archive)
  if (!(await names()).includes(name)) {
    throw new Error(`${archive} holds no image called ${name}`)
  }
  // a collected image could not be pulled again
  await ctr('images', 'label', name, 'io.cri-containerd.pinned=pinned')
  await mkdir(marks, { recursive: true })
  await writeFileWhole(mark, archive)
}

async function contentOf(file: string): Promise<string | undefined> {
  return (await exists(file)) ? readFile(file, 'utf8') : undefined
}
