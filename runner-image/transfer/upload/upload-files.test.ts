import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import type http from 'node:http'
import { Failure } from '../../../common/domain/failures.ts'
import type {
  CompleteRequest,
  PartsRequest,
  UploadRequest,
} from '../../../common/gateway/messages.ts'
import { startHttp } from '../../../testing/runner/servers.ts'
import type { TestServer } from '../../../testing/runner/servers.ts'
import { testEffects } from '../../../testing/runner/test-effects.ts'
import type { StoredObjects } from './stored-objects.ts'
import { createUploader } from './upload-files.ts'
import { useScratch } from '../../../testing/support/scratch.ts'

describe('storing files', () => {
  const at = useScratch()
  let sink: TestServer
  let puts: { url: string; body: Buffer }[]
  let requested: UploadRequest['files'][number][]
  let partsRequested: PartsRequest[]
  let objects: StoredObjects
  let completed: CompleteRequest[]
  /** Answer of the storage to the n-th PUT; undefined = it stores it. */
  let misbehave: (
    count: number,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ) => boolean

  beforeEach(async () => {
    puts = []
    requested = []
    partsRequested = []
    objects = new Map()
    completed = []
    misbehave = () => false
    let count = 0
    sink = await startHttp((request, response) => {
      if (!misbehave(++count, request, response)) store(request, response)
    })
  })
  afterEach(async () => {
    await sink.close()
  })

  it('puts a small file whole', async () => {
    await upload({ 'out.mp4': Buffer.from('made') })
    expect(requested).to.deep.equal([{ path: 'out.mp4', sizeBytes: 4 }])
    expect(puts.map(({ url, body }) => [url, String(body)])).to.deep.equal([
      ['/out.mp4?grant=1', 'made'],
    ])
    expect(objects.get('out.mp4')).to.include({ sizeBytes: 4, etag: 'e/out.mp4?grant=1' })
  })

  it('sends small files side by side, each with its own bytes, to a storage that is slow to read', async () => {
    const held: (() => void)[] = []
    misbehave = (count, request, response) => {
      held.push(() => store(request, response))
      // Each connection has a request whose body is larger than what the kernel holds of it.
      if (count % 4 === 0) for (const read of held.splice(0)) read()
      return true
    }
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`${index}.ts`, randomBytes(500_000)]),
    )
    await upload(files)
    for (const [name, body] of Object.entries(files)) {
      const put = puts.find(({ url }) => url.startsWith(`/${name}?`))
      expect(put?.body.equals(body), name).to.equal(true)
    }
  })

  it('puts a large file in parts, and gives back the ETags as they came', async () => {
    const body = randomBytes(1_050_000)
    await upload({ 'big.mp4': body }, 100_000)
    const stored = puts.toSorted((a, b) => partOf(a.url) - partOf(b.url)).map((put) => put.body)
    expect(Buffer.concat(stored).equals(body)).to.equal(true)
    expect(completed[0]?.parts.map(({ partNumber, etag }) => [partNumber, etag])[10]).to.deep.equal(
      [11, '"e/big.mp4?part=11&fresh=1"'],
    )
    const numbers = [3, 4, 5, 6, 7, 8, 9, 10, 11]
    expect(partsRequested).to.deep.equal([
      {
        path: 'big.mp4',
        uploadId: 'u',
        partNumbers: numbers,
        sizes: numbers.map((part) => (part === 11 ? 50_000 : 100_000)),
      },
    ])
    expect(objects.get('big.mp4')).to.include({ sizeBytes: 1_050_000, etag: 'whole' })
  })

  it('an upload survives a burst of 503', async () => {
    misbehave = (count, request, response) => {
      if (count > 4) return false
      request.resume()
      response.writeHead(503).end('<Code>SlowDown</Code>')
      return true
    }
    await upload({ 'out.mp4': Buffer.from('made') })
    expect(puts.length).to.equal(1)
  })

  it('an upload survives resets in mid-part', async () => {
    misbehave = (count, request) => {
      if (count > 2) return false
      request.once('data', () => request.destroy())
      return true
    }
    await upload({ 'out.mp4': randomBytes(3_000_000) })
    expect(puts[0]?.body.length).to.equal(3_000_000)
  })

  it('requests a new URL when the old one has expired', async () => {
    misbehave = (_count, request, response) => {
      if (request.url?.endsWith('grant=2') === true) return false
      request.resume()
      response.writeHead(403).end('<Message>Request has expired</Message>')
      return true
    }
    await upload({ 'out.mp4': Buffer.from('made') })
    expect(puts.map(({ url }) => url)).to.deep.equal(['/out.mp4?grant=2'])
  })

  it('requests a new URL of a part when it has expired', async () => {
    misbehave = (_count, request, response) => {
      if (request.url?.includes('part=1&') !== true || request.url.includes('fresh')) return false
      request.resume()
      response.writeHead(403).end()
      return true
    }
    await upload({ 'big.mp4': randomBytes(250_000) }, 100_000)
    expect(puts.map(({ url }) => url)).to.include('/big.mp4?part=1&fresh=1')
  })

  it('gives up after five tries and says what storage said', async () => {
    misbehave = (_count, request, response) => {
      request.resume()
      response.writeHead(503).end()
      return true
    }
    expect(await refusal({ 'out.mp4': Buffer.from('made') })).to.deep.equal([
      'STORAGE_ERROR',
      'out_1 could not be stored: storage answered 503',
    ])
  })

  it('gives up at once when the upload is gone', async () => {
    let tries = 0
    misbehave = (_count, request, response) => {
      tries++
      request.resume()
      response.writeHead(404).end()
      return true
    }
    await refusal({ 'out.mp4': Buffer.from('made') })
    expect(tries).to.equal(1)
  })

  it('uses no more than four connections', async () => {
    let open = 0
    let most = 0
    const four = Promise.withResolvers<void>()
    misbehave = (_count, request, response) => {
      most = Math.max(most, ++open)
      if (open === 4) four.resolve()
      response.once('close', () => open--)
      request.resume()
      void four.promise.then(() => response.writeHead(200, { etag: '"e"' }).end())
      return true
    }
    await upload({ 'big.mp4': randomBytes(1_000_000) }, 50_000)
    expect(most).to.equal(4)
  })

  it('requests a hundred files at a time', async () => {
    const files = Array.from({ length: 150 }, (_, n) => [`p/s${String(n)}.ts`, Buffer.from('x')])
    await upload(Object.fromEntries(files) as Record<string, Buffer>)
    expect([batches, puts.length]).to.deep.equal([[100, 50], 150])
  })

  let batches: number[]

  function store(request: http.IncomingMessage, response: http.ServerResponse): void {
    void request.toArray().then((chunks) => {
      puts.push({ url: request.url ?? '', body: Buffer.concat(chunks as Buffer[]) })
      response.writeHead(200, { etag: `"e${request.url ?? ''}"` }).end()
    })
  }

  async function upload(
    files: Record<string, Buffer>,
    partBytes = 16 * 1024 * 1024,
  ): Promise<void> {
    batches = []
    let grants = 0
    const store = createUploader({
      effects: testEffects(),
      objects,
      gateway: {
        async uploads(request) {
          requested.push(...request.files)
          batches.push(request.files.length)
          grants++
          return {
            grants: request.files.map(({ path, sizeBytes }) =>
              sizeBytes !== null && sizeBytes <= partBytes
                ? {
                    kind: 'single',
                    path,
                    url: `${sink.url}/${path}?grant=${String(grants)}`,
                    headers: {},
                  }
                : {
                    kind: 'multipart',
                    path,
                    uploadId: 'u',
                    partBytes,
                    urls: [1, 2].map((part) => `${sink.url}/${path}?part=${String(part)}&`),
                  },
            ),
          }
        },
        async parts(request) {
          const { path, partNumbers } = request
          partsRequested.push(request)
          return {
            urls: partNumbers.map((part) => `${sink.url}/${path}?part=${String(part)}&fresh=1`),
          }
        },
        async complete(request) {
          completed.push(request)
          return 'whole'
        },
      },
    })
    const sources = await Promise.all(
      Object.entries(files).map(async ([path, body], index) => {
        const source = at(String(index))
        await writeFile(source, body)
        return { path, source, sizeBytes: body.length, alias: 'out_1' }
      }),
    )
    await store(sources, new AbortController().signal)
  }

  async function refusal(files: Record<string, Buffer>): Promise<[string, string]> {
    try {
      await upload(files)
    } catch (error) {
      if (error instanceof Failure) return [error.status, error.message]
      throw error
    }
    throw new Error('it was stored')
  }

  function partOf(url: string): number {
    return Number(/part=(\d+)/.exec(url)?.[1])
  }
})
