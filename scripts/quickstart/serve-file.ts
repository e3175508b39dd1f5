import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { listenAt } from '../../testing/support/listen-at.ts'

/** One file over HTTP at an address that pods reach, as long as the caller runs. */
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
