import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createObjectStore } from './create-object-store.ts'
import { ObjectStoreUnavailable } from './object-store.ts'

/** Objects that the store below refuses, by a part of their key. */
const codes = { denied: 'AccessDenied', slow: 'SlowDown' } as const

/**
 * An S3 server with the answers of a bucket policy, of throttling and of a key that it cannot parse;
 * the server of the other tests has none of them.
 */
function startRefusing(objects: Set<string>): { server: Server; requests: number[] } {
  const requests: number[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const [status, body] = await answer(request)
      response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
    })()
  })
  return { server: server.listen(0, '127.0.0.1'), requests }

  async function answer(request: IncomingMessage): Promise<[number, string]> {
    const query = new URL(request.url ?? '', 'http://s3').searchParams
    if (request.method === 'GET') {
      const after = query.get('start-after') ?? ''
      const keys = [...objects].toSorted().filter((key) => key > after)
      const contents = keys.slice(0, 4).map((key) => `<Contents><Key>${key}</Key></Contents>`)
      return [200, `<ListBucketResult>${contents.join('')}</ListBucketResult>`]
    }
    if (request.method === 'DELETE') {
      const key = decodeURIComponent((request.url ?? '').replace(/^\/b\/([^?]*).*$/, '$1'))
      requests.push(1)
      if (key.includes('denied')) return [403, '<Error><Code>AccessDenied</Code></Error>']
      return objects.delete(key) ? [204, ''] : [404, '<Error><Code>NoSuchKey</Code></Error>']
    }
    const body = await text(request)
    const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
    requests.push(keys.length)
    if (keys.some((key) => key.includes('malformed'))) {
      return [400, '<Error><Code>MalformedXML</Code><Message>x</Message></Error>']
    }
    const errors = keys.map((key) => {
      const code = Object.entries(codes).find(([part]) => key.includes(part))?.[1]
      if (code === undefined) objects.delete(key)
      return code === undefined ? '' : `<Error><Key>${key}</Key><Code>${code}</Code></Error>`
    })
    return [200, `<DeleteResult>${errors.join('')}</DeleteResult>`]
  }
}

describe('deletion of objects', () => {
  let server: Server | undefined
  let store: ReturnType<typeof createObjectStore> | undefined
  afterEach(() => {
    store?.close()
    server?.close()
  })

  async function open(keys: readonly string[], more: { bulkDelete?: boolean } = {}) {
    const objects = new Set(keys)
    const started = startRefusing(objects)
    server = started.server
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    store = createObjectStore({
      bucket: 'b',
      region: 'us-east-1',
      publicEndpoint: null,
      pathStyle: true,
      ...more,
      endpoint: `http://127.0.0.1:${address.port}`,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    })
    return { store, objects, requests: started.requests }
  }

  it('returns the keys that the store refused, each with its reason, and deletes the others', async () => {
    const keys = ['p/1', 'p/denied', 'p/2', 'p/slow']
    const { store, objects } = await open(keys)
    const left = await store.deleteObjects(keys)
    expect([...left.keys()]).to.deep.equal(['p/denied', 'p/slow'])
    expect(left.get('p/denied')?.message).to.contain('AccessDenied')
    expect(left.get('p/denied')).not.to.be.instanceOf(ObjectStoreUnavailable)
    expect(left.get('p/slow')).to.be.instanceOf(ObjectStoreUnavailable)
    expect([...objects]).to.deep.equal(['p/denied', 'p/slow'])
  })

  it('halves a refused batch until the key at fault is alone', async () => {
    const keys = Array.from({ length: 16 }, (_, index) => `p/${index}`)
    const all = [...keys, 'p/malformed']
    const { store, objects, requests } = await open(all)
    expect([...(await store.deleteObjects(all)).keys()]).to.deep.equal(['p/malformed'])
    expect([...objects]).to.deep.equal(['p/malformed'])
    expect(requests).to.deep.equal([17, 9, 8, 4, 4, 2, 2, 1, 1])
  })

  it('deletes one by one where the store has no bulk deletion, and returns what it refused', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `p/a b/${index}`)
    const { store, objects, requests } = await open([...keys, 'p/denied'], { bulkDelete: false })
    const left = await store.deleteObjects([...keys, 'p/absent', 'p/denied'])
    expect([...left.keys()]).to.deep.equal(['p/denied'])
    expect(requests).to.deep.equal(Array.from({ length: 22 }, () => 1))
    expect([...objects]).to.deep.equal(['p/denied'])
  })

  it('deletes all of a prefix that may be deleted, and rejects with the first reason', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `p/${index}`)
    const denied = keys.map((key) => `${key}/denied`)
    const { store, objects } = await open([...keys, ...denied])
    const error: unknown = await store.deletePrefix('p/').catch((reason: unknown) => reason)
    expect(String(error)).to.contain('p/0/denied')
    expect([...objects].toSorted()).to.deep.equal(denied.toSorted())
  })
})
