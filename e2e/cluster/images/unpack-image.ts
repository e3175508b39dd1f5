import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../run-command.ts'
import type { ClusterSettings } from '../settings.ts'
import { cached } from '../tools/cached.ts'
import type { Say } from '../tools/progress.ts'
import { createBuildah } from './buildah.ts'
import { dockerAnswers } from './docker-answers.ts'

/** Answers a folder with the root file system of an image, so that its programs run on this machine by chroot. */
export async function unpackImage({
  archive,
  settings,
  say,
}: {
  /** docker-archive, as buildImage answers it. */
  readonly archive: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string> {
  const key = path.join('unpacked', path.basename(archive, '.tar'))
  const what = `unpacking image ${path.basename(archive)}`
  return cached({ key, what, usually: '5 s', settings, say }, async (partial) => {
    await mkdir(partial, { recursive: true })
    if (await dockerAnswers()) await unpackWithDocker(archive, partial)
    else await unpackWithBuildah(archive, partial)
  })

  async function unpackWithBuildah(from: string, to: string): Promise<void> {
    const buildah = await createBuildah(settings, say)
    const container = (await buildah(['from', '--pull-never', `docker-archive:${from}`])).trim()
    try {
      const mounted = (await buildah(['mount', container])).trim()
      await runCommand('cp', ['-a', `${mounted}/.`, to])
    } finally {
      await buildah(['rm', container])
    }
  }
}

async function unpackWithDocker(archive: string, to: string): Promise<void> {
  const loaded = await runCommand('docker', ['load', '--input', archive])
  const image = loaded.trim().split(' ').at(-1) ?? ''
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
