import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { listenAt } from '../../testing/support/http-server.ts'

/** Input files for the stories, at an address that pods reach, as long as the process of the stories lives. */
export interface Origin {
  /** URL of a file in the folder. `page.mp4` answers a web page; anything else answers 404. */
  url(name: string): string
}

export async function startOrigin(options: {
  readonly address: string
  readonly folder: string
}): Promise<Origin> {
  const { address, folder } = options
  const server = createServer((request, response) => {
    const name = path.basename(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (name === 'page.mp4') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in')
      return
    }
    const file = path.join(folder, name)
    stat(file).then(
      ({ size }) => {
        const type = types[path.extname(name)] ?? 'application/octet-stream'
        response.writeHead(200, { 'content-type': type, 'content-length': size })
        createReadStream(file).pipe(response)
      },
      () => response.writeHead(404).end('no such file'),
    )
  })
  const { url } = await listenAt(address, server)
  server.unref()
  return { url: (name) => `${url}/${name}` }
}

const types: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.zip': 'application/zip',
}
