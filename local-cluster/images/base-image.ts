import { rm } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../host/run-command.ts'
import type { ClusterSettings } from '../host/settings.ts'
import { withLock } from '../tools/lock.ts'
import { withProgress, type Say } from '../host/progress.ts'
import type { Buildah } from './buildah.ts'

export const baseImageName = 'registry.e2e/debian:trixie-slim'

/** Makes a Debian 13 base image from Debian's own packages, where there is no registry to pull one from. */
export async function ensureBaseImage({
  buildah,
  settings,
  say,
}: {
  readonly buildah: Buildah
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<void> {
  if (await isThere(buildah)) return
  const folder = path.join(settings.cacheFolder, 'images')
  const onWait = () => say('another process makes the Debian base image, waiting')
  await withLock(path.join(folder, 'base.lock'), onWait, async () => {
    if (await isThere(buildah)) return
    const progress = { what: 'making a Debian 13 base image', usually: '30 to 60 s' }
    await withProgress(say, progress, async (onLine) => {
      const archive = path.join(folder, 'base.tar')
      try {
        await runCommand('mmdebstrap', bootstrapArguments(archive), { onLine })
        await importFileSystem(buildah, archive)
      } finally {
        await rm(archive, { force: true })
      }
    })
  })
}

async function isThere(buildah: Buildah): Promise<boolean> {
  const names = await buildah(['images', '--format', '{{.Name}}:{{.Tag}}'])
  return names.split('\n').includes(baseImageName)
}

/** Given the suite alone, mmdebstrap finds the mirror that this machine uses, or Debian's own. */
function bootstrapArguments(archive: string): string[] {
  return [
    '--quiet',
    '--variant=apt',
    '--mode=root',
    '--aptopt=APT::Install-Recommends "false"',
    ...['man', 'doc', 'locale'].map((each) => `--dpkgopt=path-exclude=/usr/share/${each}/*`),
    'trixie',
    archive,
  ]
}

async function importFileSystem(buildah: Buildah, archive: string): Promise<void> {
  const container = (await buildah(['from', 'scratch'])).trim()
  try {
    // an added tar archive is unpacked, owners and modes included
    await buildah(['add', container, archive, '/'])
    await buildah([
      'config',
      '--cmd',
      '/bin/bash',
      '--env',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      container,
    ])
    await buildah(['commit', '--quiet', container, baseImageName])
  } finally {
    await buildah(['rm', container])
  }
}
