import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import type { ImagePrograms } from '../installation/image-programs.ts'

/** Input files for the stories, at an address that pods reach. */
export interface Origin {
  /** `clip.mp4`: 4 s of picture and sound. Anything else answers 404. */
  url(name: string): string
  close(): Promise<void>
}

interface Options {
  readonly address: string
  readonly folder: string
  readonly programs: ImagePrograms
}

export async function startOrigin({ address, folder, programs }: Options): Promise<Origin> {
  const clip = path.join(folder, 'clip.mp4')
  await programs.ffmpeg(
    [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4'],
      ...['-f', 'lavfi', '-i', 'sine=duration=4', '-c:v', 'libx264', '-preset', 'ultrafast'],
      ...['-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ],
    clip,
  )
  const { size } = await stat(clip)
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/clip.mp4') !== true) {
      response.writeHead(404).end('no such file')
      return
    }
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': size })
    createReadStream(clip).pipe(response)
  })
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  return {
    url: (name) => `http://${address}:${bound.port}/${name}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
