import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../run-command.ts'
import type { ClusterSettings } from '../settings.ts'
import { cached } from '../tools/cached.ts'
import type { Say } from '../tools/progress.ts'
import { baseImageName, ensureBaseImage } from './base-image.ts'
import { assembleContext, hashContext, type BuildContext } from './build-context.ts'
import { createBuildah } from './buildah.ts'
import { dockerAnswers } from './docker-answers.ts'

export interface ImageBuild extends BuildContext {
  /**
   * Full name. It needs a host part: container runtimes look for a name without one under a registry of their own. Without
   * a tag it gets a hash of all that goes in, so that a changed image is a changed pod.
   */
  readonly name: string
  /** Absolute path. It begins with `ARG BASE=debian:trixie-slim` and `FROM ${BASE}`, or with `root` with `ARG ROOT` and `FROM ${ROOT}`. */
  readonly dockerfile: string
  /** The image that it builds on. */
  readonly root?: BuiltImage
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
  const { settings, say } = given
  const hash = await hashBuild(given)
  const tagged = path.basename(given.name).includes(':')
  const build = tagged ? given : { ...given, name: `${given.name}:${hash}` }
  const { name } = build
  const key = path.join('images', `${shortName(given.name)}-${hash}.tar`)
  const archive = await cached(
    { key, what: `building image ${name}`, usually: '10 s to 6 min', settings, say },
    async (partial, onLine) => {
      const context = `${partial}.context`
      await rm(context, { recursive: true, force: true })
      await mkdir(context, { recursive: true })
      try {
        await assembleContext(build, context)
        if (await dockerAnswers()) await buildWithDocker(build, context, partial, onLine)
        else await buildWithBuildah(build, context, partial, onLine)
      } finally {
        await rm(context, { recursive: true, force: true })
      }
    },
  )
  await removeOlder(archive, given.name)
  return { archive, name }
}

async function hashBuild(build: ImageBuild): Promise<string> {
  const hash = createHash('sha256')
  hash.update(`${build.name}\0${JSON.stringify(build.args ?? {})}\0${build.root?.name ?? ''}\0`)
  hash.update(await readFile(build.dockerfile))
  hash.update(await hashContext(build, build.settings.cacheFolder))
  return hash.digest('hex').slice(0, 16)
}

async function buildWithBuildah(
  { name, dockerfile, root, args = {}, settings, say }: ImageBuild,
  context: string,
  archive: string,
  onLine: (line: string) => void,
): Promise<void> {
  const buildah = await createBuildah(settings, say)
  if (/^FROM \$\{?BASE\}?/m.test(await readFile(dockerfile, 'utf8'))) {
    await ensureBaseImage({ buildah, settings, say })
  }
  if (
    root !== undefined &&
    (await buildah(['images', '--quiet', root.name]).catch(() => '')) === ''
  ) {
    await buildah(['pull', '--quiet', `docker-archive:${root.archive}`])
  }
  const values = Object.entries({ BASE: baseImageName, ...rootArgument(root), ...args })
  await buildah(
    [
      // chroot: the only isolation that works without a container runtime of its own, inside containers too
      ...['build', '--isolation', 'chroot', '--network', 'host', '--pull-never'],
      // A layer for each line would be written, read and hashed: a third of the time, for a cache that `root` is already.
      '--layers=false',
      ...values.flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      ...['--file', dockerfile, '--tag', name, context],
    ],
    onLine,
  )
  // uncompressed: three seconds instead of nine, and the archive is read on this machine only
  await buildah([
    'push',
    '--quiet',
    '--disable-compression',
    name,
    `docker-archive:${archive}:${name}`,
  ])
}

async function buildWithDocker(
  { name, dockerfile, root, args = {} }: ImageBuild,
  context: string,
  archive: string,
  onLine: (line: string) => void,
): Promise<void> {
  if (root !== undefined) await runCommand('docker', ['load', '--input', root.archive])
  const values = Object.entries({ ...rootArgument(root), ...args }).flatMap(([key, value]) => [
    '--build-arg',
    `${key}=${value}`,
  ])
  await runCommand('docker', ['build', ...values, '--file', dockerfile, '--tag', name, context], {
    onLine,
  })
  await runCommand('docker', ['save', '--output', archive, name])
}

function rootArgument(root: BuiltImage | undefined): Record<string, string> {
  return root === undefined ? {} : { ROOT: root.name }
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
