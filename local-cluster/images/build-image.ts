import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ClusterSettings } from '../host/settings.ts'
import { cached } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'
import { assembleContext, hashContext, type BuildContext } from './build-context.ts'
import { imageBuilder } from './image-builder.ts'
import type { ImageBuilder } from './image-builder.ts'

/**
 * An image that others build on. It stays in the builder's storage: written out as an archive of hundreds of megabytes it
 * would cost half a minute, and nothing reads that.
 */
export interface RootImage {
  /** Full name with a tag by content. */
  readonly name: string
  /** Builds it, if the storage does not have it. */
  readonly ensure: () => Promise<void>
}

export interface ImageBuild extends BuildContext {
  /**
   * Full name. It needs a host part: container runtimes look for a name without one under a registry of their own. Without
   * a tag it gets a hash of all that goes in, so that a changed image is a changed pod.
   */
  readonly name: string
  /** Absolute path. It begins with `ARG BASE=debian:trixie-slim` and `FROM ${BASE}`, or with `root` with `ARG ROOT` and `FROM ${ROOT}`. */
  readonly dockerfile: string
  /** The image that it builds on. */
  readonly root?: RootImage
  readonly args?: Readonly<Record<string, string>>
  readonly settings: ClusterSettings
  readonly say: Say
}

export interface BuiltImage {
  /** Path of a docker-archive. */
  readonly archive: string
  /** Full name with tag. */
  readonly name: string
}

/**
 * Builds an image without a registry and answers its docker-archive, which containerd, kind and docker all load. Keyed by
 * everything that goes in: an image that was built before is only looked up.
 */
export async function buildImage(given: ImageBuild): Promise<BuiltImage> {
  const { settings, say, root } = given
  const hash = await hashBuild(given)
  const { name } = await nameByContent(given, hash)
  const key = path.join('images', `${shortName(given.name)}-${hash}.tar`)
  const archive = await cached(
    { key, what: `building image ${name}`, usually: '5 s to 3 min', settings, say },
    async (partial, onLine) => {
      const builder = await imageBuilder(settings, say)
      await root?.ensure()
      await buildFromContext(builder, { ...given, name }, onLine)
      await builder.save(name, partial)
      // the archive is what is used; here it would stay for good, one for each change of a source
      await builder.remove(name)
    },
  )
  await removeOlder(archive, given.name)
  return { archive, name }
}

export async function buildFromContext(
  builder: ImageBuilder,
  build: ImageBuild,
  onLine: (line: string) => void,
): Promise<void> {
  const { name, dockerfile, root } = build
  const context = await mkdtemp(path.join(tmpdir(), 'image-context-'))
  try {
    await assembleContext(build, context)
    const args = { ...(root === undefined ? {} : { ROOT: root.name }), ...build.args }
    await builder.build({ name, dockerfile, context, args }, onLine)
  } finally {
    await rm(context, { recursive: true, force: true })
  }
}

export async function nameByContent(build: ImageBuild, hash?: string): Promise<ImageBuild> {
  if (path.basename(build.name).includes(':')) return build
  return { ...build, name: `${build.name}:${hash ?? (await hashBuild(build))}` }
}

async function hashBuild(build: ImageBuild): Promise<string> {
  const hash = createHash('sha256')
  hash.update(`${build.name}\0${JSON.stringify(build.args ?? {})}\0${build.root?.name ?? ''}\0`)
  hash.update(await readFile(build.dockerfile))
  hash.update(await hashContext(build, build.settings.cacheFolder))
  return hash.digest('hex').slice(0, 16)
}

/** Images of the last three builds stay, so that going back and forth between two states of the sources costs nothing. */
async function removeOlder(archive: string, name: string): Promise<void> {
  const folder = path.dirname(archive)
  const pattern = new RegExp(`^${RegExp.escape(shortName(name))}-[0-9a-f]{16}\\.tar$`)
  const files = (await readdir(folder)).filter((each) => pattern.test(each))
  const dated = await Promise.all(
    files.map(async (each) => ({ each, time: (await stat(path.join(folder, each))).mtimeMs })),
  )
  const older = dated.toSorted((a, b) => b.time - a.time).slice(3)
  for (const { each } of older) {
    if (each !== path.basename(archive)) await rm(path.join(folder, each), { force: true })
  }
}

function shortName(name: string): string {
  return (name.split('/').at(-1) ?? name).replace(/[^a-zA-Z0-9.-]/g, '-')
}
