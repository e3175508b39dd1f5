import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleRunner } from '../runner-image/bundle.ts'
import { bundledPackages, writeLicences } from './licences.ts'
import { buildImage } from '../local-cluster/images/build-image.ts'
import type { BuiltImage } from '../local-cluster/images/build-image.ts'
import { rootImage } from '../local-cluster/images/root-image.ts'
import type { RootImage } from '../local-cluster/images/build-image.ts'
import type { ImageBuild } from '../local-cluster/images/build-image.ts'
import { nodeBinary } from '../local-cluster/images/node-binary.ts'
import { unpackImage } from '../local-cluster/images/unpack-image.ts'
import type { ClusterSettings } from '../local-cluster/host/settings.ts'
import type { Say } from '../local-cluster/host/progress.ts'

export interface FFmpegBuild {
  /** Debian's package, or the same source without network, plug-ins and devices. */
  readonly ffmpeg?: 'debian' | 'hardened'
  /** Packages of fonts beside those of the image. */
  readonly extraFonts?: readonly string[]
}

interface Building extends FFmpegBuild {
  readonly settings: ClusterSettings
  readonly say: Say
}

/** The runner image as it ships. */
export async function buildRunnerImage({
  name,
  ...building
}: Building & {
  /** Full name; without a tag it gets one by content. */
  readonly name: string
}): Promise<BuiltImage> {
  const { settings, say } = building
  const root = await runnerRootImage(building)
  return withFolder(async (app) => {
    const packages = bundledPackages(await bundleRunner(app))
    await writeLicences(path.join(app, 'licences'), path.join(repository, 'runner-image'), packages)
    const dockerfile = path.join(repository, 'runner-image/Dockerfile')
    return buildImage({
      name,
      dockerfile,
      root,
      settings,
      say,
      context: repository,
      inputs: ['runner-image/write-compile-cache.ts'],
      extra: { app },
    })
  })
}

/**
 * Answers the runner image's root file system, unpacked, without the runner's own programs: they
 * change often, FFmpeg does not. `chroot ROOT /usr/bin/ffmpeg …` runs on any Linux machine.
 */
export async function runnerRoot(building: Building): Promise<string> {
  const root = await runnerRootImage(building)
  return unpackImage({ ...building, root })
}

async function runnerRootImage({
  ffmpeg = 'debian',
  extraFonts = [],
  ...building
}: Building): Promise<RootImage> {
  const build = await rootBuild(building)
  const args = extraFonts.length === 0 ? {} : { EXTRA_FONTS: extraFonts.join(' ') }
  if (ffmpeg === 'debian') return rootImage({ ...build, args })
  const base = await hardenedBase(building)
  return rootImage({ ...build, root: base, args: { ...args, BASE: base.name } })
}

/** Keyed by the version of FFmpeg and how it is built: nothing else of the project makes it anew. */
async function hardenedBase({ settings, say }: Building): Promise<RootImage> {
  return rootImage(
    {
      name: 'registry.e2e/cloud-ffmpeg/hardened-ffmpeg',
      dockerfile: path.join(repository, 'runner-image/hardened/Dockerfile'),
      context: repository,
      inputs: ['runner-image/hardened/ffmpeg-package.sh'],
      settings,
      say,
    },
    '10 min on two processors',
  )
}

async function rootBuild({ settings, say }: Building): Promise<ImageBuild> {
  return {
    name: 'registry.e2e/cloud-ffmpeg/runner-root',
    dockerfile: path.join(repository, 'runner-image/root.Dockerfile'),
    context: repository,
    inputs: [
      'runner-image/closure.sh',
      'runner-image/package-list.sh',
      'runner-image/fonts/local.conf',
      'runner-image/fonts/write-font-table.ts',
      'runner-image/ffmpeg/sandbox/seccomp.ts',
      'runner-image/ffmpeg/sandbox/write-seccomp-filters.ts',
    ],
    extra: { node: await nodeBinary({ settings, say }), ...notoEmoji() },
    settings,
    say,
  }
}

/** One weight of the five that the package has, with its licence. */
function notoEmoji(): Record<string, string> {
  const folder = path.dirname(
    fileURLToPath(import.meta.resolve('@expo-google-fonts/noto-emoji/package.json')),
  )
  const files = { 'NotoEmoji_400Regular.ttf': '400Regular', LICENSE_FONT: '.' }
  return Object.fromEntries(
    Object.entries(files).map(([name, at]) => [`noto-emoji/${name}`, path.join(folder, at, name)]),
  )
}

const repository = path.join(import.meta.dirname, '..')

/** An empty folder `app` for a bundle; it is gone afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const parent = await mkdtemp(path.join(tmpdir(), 'runner-image-'))
  const folder = path.join(parent, 'app')
  try {
    await mkdir(folder)
    return await use(folder)
  } finally {
    await rm(parent, { recursive: true })
  }
}
