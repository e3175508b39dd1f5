import { mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { createClient } from '../../cli/exports/index.ts'
import { filmArguments } from '../../e2e/steps/samples.ts'
import type { ImagePrograms } from '../../images/image-programs.ts'
import type { Say } from '../../local-cluster/host/progress.ts'

interface Options {
  readonly programs: ImagePrograms
  readonly folder: string
  readonly say: Say
}

export async function makeSampleClip({ programs, folder, say }: Options): Promise<string> {
  await mkdir(folder, { recursive: true })
  const clip = path.join(folder, 'film.mp4')
  if (await stat(clip).catch(() => null)) return clip
  say('making a sample clip of 10 s (usually 3 s)')
  await programs.ffmpeg([...filmArguments], clip)
  return clip
}

interface Storing {
  readonly client: Pick<ReturnType<typeof createClient>, 'upload'>
  readonly clip: string
  /** URL of an earlier run. */
  readonly known: string | null
}

/** URL of the clip in the storage of the service, which outlives quickstart: anyone and any command may read it. */
export async function storedSample({ client, clip, known }: Storing): Promise<string> {
  if (known !== null && (await answers(known))) return known
  const file = new Blob([await readFile(clip)])
  const { storage_url: url } = await client.upload(file, { name: path.basename(clip) })
  if (url === null) throw new Error('the sample clip has no URL')
  return url
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url, { method: 'HEAD' }).catch(() => null)
  return response?.ok === true
}
