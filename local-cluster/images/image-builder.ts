import { readFile } from 'node:fs/promises'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import type { Say } from '../host/progress.ts'
import { baseImageName, ensureBaseImage } from './base-image.ts'
import { createBuildah } from './buildah.ts'
import type { Buildah } from './buildah.ts'
import { dockerAnswers } from '../host/choose-provider.ts'

/** Docker where it answers, else buildah: each with a storage of images of its own. */
export interface ImageBuilder {
  readonly has: (name: string) => Promise<boolean>
  /** @param args build arguments of the Dockerfile, which builds on images of the storage only */
  readonly build: (
    build: {
      readonly name: string
      readonly dockerfile: string
      readonly context: string
      readonly args: Readonly<Record<string, string>>
    },
    onLine: (line: string) => void,
  ) => Promise<void>
  /** Writes a docker-archive. */
  readonly save: (name: string, archive: string) => Promise<void>
  /** Removes an image from its storage; its base stays. */
  readonly remove: (name: string) => Promise<void>
}

export async function imageBuilder(settings: ClusterSettings, say: Say): Promise<ImageBuilder> {
  if (await dockerAnswers()) return dockerBuilder
  return buildahBuilder(await createBuildah(settings, say), settings, say)
}

function buildahBuilder(buildah: Buildah, settings: ClusterSettings, say: Say): ImageBuilder {
  return {
    has: async (name) =>
      // an image that is not there is an error to buildah
      (await buildah(['images', '--quiet', name]).catch(() => '')) !== '',
    build: async ({ name, dockerfile, context, args }, onLine) => {
      if (/^FROM \$\{?BASE\}?/m.test(await readFile(dockerfile, 'utf8'))) {
        await ensureBaseImage({ buildah, settings, say })
      }
      await buildah(
        [
          // chroot: the only isolation that works without a container runtime of its own, inside containers too
          'build',
          '--isolation',
          'chroot',
          '--network',
          'host',
          '--pull-never',
          // A layer for each line would be written, read and hashed: a third of the time, for a cache that a root image is already.
          '--layers=false',
          ...buildArguments({ BASE: baseImageName, ...args }),
          '--file',
          dockerfile,
          '--tag',
          name,
          context,
        ],
        onLine,
      )
    },
    save: async (name, archive) => {
      // uncompressed: three seconds instead of nine, and the archive is read on this machine only
      const target = `docker-archive:${archive}:${name}`
      await buildah(['push', '--quiet', '--disable-compression', name, target])
    },
    remove: async (name) => {
      await buildah(['rmi', name])
    },
  }
}

const dockerBuilder: ImageBuilder = {
  has: async (name) =>
    runCommand('docker', ['image', 'inspect', name]).then(
      () => true,
      () => false,
    ),
  build: async ({ name, dockerfile, context, args }, onLine) => {
    const given = [...buildArguments(args), '--file', dockerfile, '--tag', name, context]
    await runCommand('docker', ['build', ...given], { onLine })
  },
  save: async (name, archive) => {
    await runCommand('docker', ['save', '--output', archive, name])
  },
  remove: async (name) => {
    await runCommand('docker', ['image', 'rm', name])
  },
}

function buildArguments(args: Readonly<Record<string, string>>): string[] {
  return Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
}
