import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import path from 'node:path'
import { once } from 'node:events'

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
  server.listen(0, address)
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  return {
    url: `http://${address}:${bound.port}/${path.basename(file)}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
