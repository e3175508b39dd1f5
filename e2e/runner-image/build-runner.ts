import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundleRunner } from '../../runner-image/bundle.ts'
import { buildImage } from '../cluster/images/build-image.ts'
import type { BuiltImage } from '../cluster/images/build-image.ts'
import { nodeBinary } from '../cluster/images/node-binary.ts'
import { unpackImage } from '../cluster/images/unpack-image.ts'
import type { ClusterSettings } from '../cluster/settings.ts'
import type { Say } from '../cluster/tools/progress.ts'

interface Building {
  readonly settings: ClusterSettings
  readonly say: Say
}

/** The runner image as it ships. */
export async function buildRunnerImage({
  name,
  settings,
  say,
}: Building & {
  /** Full name; without a tag it gets one by content. */
  readonly name: string
}): Promise<BuiltImage> {
  return withFolder(async (folder) => {
    await bundleRunner(folder)
    return build({ name, app: folder, settings, say })
  })
}

/**
 * Answers the runner image's root file system, unpacked, without the runner's own programs: they
 * change often, FFmpeg does not. `chroot ROOT /usr/bin/ffmpeg …` runs on any Linux machine.
 */
export async function runnerRoot({ settings, say }: Building): Promise<string> {
  return withFolder(async (folder) => {
    const name = 'registry.e2e/cloud-ffmpeg/runner-root:dev'
    const { archive } = await build({ name, app: folder, settings, say })
    return unpackImage({ archive, settings, say })
  })
}

async function build({
  name,
  app,
  settings,
  say,
}: Building & { readonly name: string; readonly app: string }): Promise<BuiltImage> {
  const node = await nodeBinary({ settings, say })
  return buildImage({
    name,
    dockerfile: path.join(repository, 'runner-image/Dockerfile'),
    context: repository,
    inputs: imageInputs,
    extra: { app, 'package/bin/node': node },
    settings,
    say,
  })
}

const repository = path.join(import.meta.dirname, '../..')

/** What the Dockerfile copies from the sources; the programs come bundled. */
const imageInputs = [
  'runner-image/closure.sh',
  'runner-image/package-list.sh',
  'runner-image/ffmpeg/seccomp.ts',
  'runner-image/ffmpeg/write-seccomp-filters.ts',
]

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const parent = await mkdtemp(path.join(tmpdir(), 'runner-image-'))
  const folder = path.join(parent, 'app')
  try {
    await mkdir(folder)
    return await use(folder)
  } finally {
    await rm(parent, { recursive: true })
  }
}
