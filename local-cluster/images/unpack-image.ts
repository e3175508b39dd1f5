import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { cached } from '../tools/cached.ts'
import type { Say } from '../host/progress.ts'
import { createBuildah } from './buildah.ts'
import type { RootImage } from './build-image.ts'
import { dockerAnswers } from '../host/choose-provider.ts'

/** Answers a folder with the root file system of an image, so that its programs run on this machine by chroot. */
export async function unpackImage({
  root,
  settings,
  say,
}: {
  readonly root: RootImage
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const key = path.join('unpacked', path.basename(root.name).replace(':', '-'))
  const what = `unpacking image ${root.name}`
  return cached({ key, what, usually: '5 s', settings, say }, async (partial) => {
    await root.ensure()
    await mkdir(partial, { recursive: true })
    if (await dockerAnswers()) await unpackWithDocker(root.name, partial)
    else await unpackWithBuildah(root.name, partial)
  })

  async function unpackWithBuildah(image: string, to: string): Promise<void> {
    const buildah = await createBuildah(settings, say)
    const container = (await buildah(['from', '--pull-never', image])).trim()
    try {
      const mounted = (await buildah(['mount', container])).trim()
      await runCommand('cp', ['-a', `${mounted}/.`, to])
    } finally {
      await buildah(['rm', container])
    }
  }
}

async function unpackWithDocker(image: string, to: string): Promise<void> {
  const container = (await runCommand('docker', ['create', image, 'none'])).trim()
  const exported = `${to}.export`
  try {
    await runCommand('docker', ['export', '--output', exported, container])
    await runCommand('tar', ['-xf', exported, '-C', to])
  } finally {
    await runCommand('rm', ['-f', exported])
    await runCommand('docker', ['rm', container])
  }
}
