import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Cap } from './cap.ts'
import { listenAt } from '../../support/http-server.ts'

/** Serves a folder as a good origin does: ranges, a strong ETag, a length. */
export interface CappedOrigin {
  url(name: string): string
  close(): Promise<void>
}

export async function startCappedOrigin(options: {
  readonly address: string
  readonly folder: string
  readonly cap: Cap
}): Promise<CappedOrigin> {
  const { address, folder, cap } = options
  const server = createServer((request, response) => {
    const name = path.basename(new URL(request.url ?? '/', 'http://localhost').pathname)
    answer(path.join(folder, name), request.headers.range, response).catch((error: unknown) => {
      // The reader has closed the connection, or the file is missing.
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  const { url, close } = await listenAt(address, server)
  return {
    url: (name) => `${url}/${name}`,
    close,
  }

  async function answer(file: string, range: string | undefined, response: ServerResponse) {
    const { size, mtimeMs } = await stat(file)
    const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
    const start = Number(first)
    const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
    const partial = first !== ''
    response.writeHead(partial ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      etag: `"${size}-${mtimeMs}"`,
      'content-length': end - start + 1,
      ...(partial ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    })
    await pipeline(createReadStream(file, { start, end }), cap.stream(), response)
  }
}
