import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { listenAt } from '../../testing/support/http-server.ts'
import type { ImagePrograms } from '../../images/image-programs.ts'
import type { Say } from '../../local-cluster/host/progress.ts'

interface Options {
  readonly programs: ImagePrograms
  readonly folder: string
  readonly say: Say
}

/** Thirty seconds of video and audio from FFmpeg's test sources: no download and no licence. */
export async function makeSampleClip({ programs, folder, say }: Options): Promise<string> {
  await mkdir(folder, { recursive: true })
  const clip = path.join(folder, 'sample.mp4')
  if (await stat(clip).catch(() => null)) return clip
  say('making a sample clip of 30 s (usually 3 s)')
  await programs.ffmpeg(
    [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=854x480:rate=25:duration=30',
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=440:beep_factor=4:duration=30',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
    ],
    clip,
  )
  return clip
}

/** Serves one file over HTTP at an address that pods can reach, until the caller ends. */
export async function serveFile(
  file: string,
  address: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const { size } = await stat(file)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size })
    createReadStream(file).pipe(response)
  })
  const { url, close } = await listenAt(address, server)
  return {
    url: `${url}/${path.basename(file)}`,
    close,
  }
}
