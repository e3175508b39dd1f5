import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { runCommand } from '../../e2e/cluster/host/run-command.ts'
import type { ClusterSettings } from '../../e2e/cluster/host/settings.ts'
import { cached } from '../../e2e/cluster/tools/cached.ts'
import { imageNeeds, installMissing } from '../../e2e/cluster/tools/debian-packages.ts'
import type { Say } from '../../e2e/cluster/host/progress.ts'

/** The pages in which FFmpeg shows how it is used. */
const pages = ['ffmpeg-all.html', 'faq.html']

/**
 * FFmpeg's own manual as Debian 13 packages it, fetched once for each version of FFmpeg. It is
 * never part of this project: its licence is another one.
 */
export async function manualPages({
  version,
  settings,
  say,
}: {
  /** Version of the FFmpeg that the runner image ships; the manual of trixie is of the same source. */
  readonly version: string
  readonly settings: ClusterSettings
  readonly say: Say
}): Promise<string[]> {
  const what = `fetching FFmpeg's manual (ffmpeg-doc ${version})`
  const key = `ffmpeg-doc-${version}`
  const folder = await cached({ key, what, usually: '10 s', settings, say }, async (partial) => {
    await installMissing(imageNeeds, say)
    // given the suite alone, mmdebstrap finds the mirror that this machine uses, or Debian's own
    await runCommand('mmdebstrap', [
      '--quiet',
      '--variant=extract',
      '--mode=root',
      '--include=ffmpeg-doc',
      '--aptopt=APT::Install-Recommends "false"',
      'trixie',
      partial,
    ])
  })
  const manual = path.join(folder, 'usr/share/doc/ffmpeg/manual')
  return Promise.all(pages.map(async (page) => readFile(path.join(manual, page), 'utf8')))
}
