import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { versitygwCommand } from '../../local-cluster/tools/versitygw.ts'
import { freePort, startTestServer } from '../../testing/support/http-server.ts'
import type { S3 } from '../../local-cluster/servers/s3.ts'

/** The buckets of an S3 server by either of two keys, as while a key is being rotated. */
export interface TwoKeyS3 {
  readonly endpoint: string
  readonly second: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Requests that each key has signed, also by URLs. */
  readonly requests: ReadonlyMap<string, number>
  /** Refuses the key from now on. */
  revoke(accessKeyId: string): void
  close(): void
}

/**
 * The server that is there has one key. A second one over the same folder has the other, and this one passes each
 * request to the server that knows its key; the host that is part of a signature stays.
 */
export async function startTwoKeyS3(s3: S3, hostAddress: string): Promise<TwoKeyS3> {
  const second = { accessKeyId: 'second', secretAccessKey: 'secret-of-the-second-key' }
  const otherPort = await startSecond(s3.folder, second)
  const ports = new Map([
    [s3.accessKeyId, Number(new URL(s3.endpoint).port)],
    [second.accessKeyId, otherPort],
  ])
  const requests = new Map<string, number>()
  const server = createServer((incoming, response) => {
    const key = keyOf(incoming) ?? s3.accessKeyId
    const port = ports.get(key)
    if (port === undefined) {
      response.writeHead(403, { 'content-type': 'application/xml' })
      response.end('<Error><Code>InvalidAccessKeyId</Code></Error>')
      return
    }
    requests.set(key, (requests.get(key) ?? 0) + 1)
    const { method, url, rawHeaders } = incoming
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers: rawHeaders })
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  })
  await new Promise<void>((done) => server.listen(0, hostAddress, done))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://${hostAddress}:${port}`,
    second,
    requests,
    revoke: (accessKeyId) => ports.delete(accessKeyId),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function startSecond(
  objects: string,
  { accessKeyId, secretAccessKey }: TwoKeyS3['second'],
): Promise<number> {
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  await startTestServer({
    command: await versitygwCommand({
      settings: clusterSettings(process.env),
      say: () => undefined,
    }),
    args: ['--listen', address, objects],
    folder: await mkdtemp(path.join(tmpdir(), 'second-key-')),
    env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey },
    check: () => fetch(`http://${address}`),
  })
  return port
}

/** Key in the header of a request or in the query of a presigned URL. */
function keyOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const inHeader = headers.authorization?.match(/Credential=([^/]+)\//)?.[1]
  return inHeader ?? url.match(/X-Amz-Credential=([^&%/]+)/)?.[1]
}
