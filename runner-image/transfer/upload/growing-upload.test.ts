import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { appendFile, open, readFile, rm, truncate } from 'node:fs/promises'
import { createGateway } from '../gateway/gateway.ts'
import { gatewayRequests } from '../gateway/request.ts'
import { startGateway } from '../../../testing/runner/gateway-server.ts'
import type { GatewayScript, TestGateway } from '../../../testing/runner/gateway-server.ts'
import { testEffects } from '../../../testing/runner/test-effects.ts'
import type { TestEffects } from '../../../testing/runner/test-effects.ts'
import { createConnections } from './connections.ts'
import { startGrowingUpload } from './growing-upload.ts'
import type { StoredObjects } from './stored-objects.ts'
import { useScratch } from '../../../testing/support/scratch.ts'
import { until } from '../../../testing/support/until.ts'

const mebibyte = 1024 * 1024
const partBytes = 5 * mebibyte
/** Interval at which an upload reads the size of its file. */
const pollEveryMs = 50

describe('storing a file that grows', () => {
  const at = useScratch()
  let source: string
  let gateway: TestGateway
  let stop: AbortController
  let effects: TestEffects
  let objects: StoredObjects
  let polls: number

  beforeEach(async () => {
    source = at('long.mkv')
    stop = new AbortController()
    objects = new Map()
    polls = 0
  })
  afterEach(async () => {
    stop.abort()
    await gateway.close()
  })

  it('sends each part once it is full, and the rest in the end', async () => {
    const upload = await start({ holdsFirst: false })
    await grow(6 * mebibyte)
    await partsPut(1)
    await grow(6 * mebibyte)
    await partsPut(2)
    await grow(100)
    expect(await upload.finish()).to.equal(true)
    await expectStored()
    expect(puts()).to.deep.equal([1, 2, 3])
    await upload.ended
  })

  it('requests a URL with the length of the last part, and keeps size and ETag for the result', async () => {
    const upload = await start({ holdsFirst: false })
    await grow(6 * mebibyte)
    await partsPut(1)
    await grow(100)
    expect(await upload.finish()).to.equal(true)
    expect(gateway.partRequests.at(-1)).to.deep.equal({
      path: 'long.mkv',
      uploadId: 'u1',
      partNumbers: [2],
      sizes: [mebibyte + 100],
    })
    const stored = { path: 'long.mkv', source, alias: 'out_1' }
    expect([...objects.values()]).to.deep.equal([
      { ...stored, sizeBytes: 6 * mebibyte + 100, etag: 'etag' },
    ])
  })

  it('holds back a first part that FFmpeg will write again', async () => {
    const upload = await start({ holdsFirst: true })
    await grow(16 * mebibyte)
    await partsPut(2)
    await rewrite(40, 200)
    expect(await upload.finish()).to.equal(true)
    await expectStored()
    expect(new Set(puts())).to.deep.equal(new Set([1, 2, 3, 4]))
    expect(new Set(puts().slice(0, 2)), 'sent while it grew').to.deep.equal(new Set([2, 3]))
  })

  it('sends a part again that was written again after all', async () => {
    const upload = await start({ holdsFirst: false })
    await grow(11 * mebibyte)
    await partsPut(2)
    await rewrite(6 * mebibyte, 4)
    expect(await upload.finish()).to.equal(true)
    await expectStored()
    expect(puts().filter((part) => part === 2).length).to.equal(2)
    expect(puts().filter((part) => part === 1).length).to.equal(1)
  })

  it('follows a command that is run again', async () => {
    const upload = await start({ holdsFirst: false })
    await grow(11 * mebibyte)
    await partsPut(2)
    await rm(source)
    await grow(6 * mebibyte)
    expect(await upload.finish()).to.equal(true)
    await expectStored()
  })

  it('follows a file that begins anew under the same name', async () => {
    const upload = await start({ holdsFirst: false })
    await grow(11 * mebibyte)
    await partsPut(2)
    await truncate(source)
    await grow(7 * mebibyte)
    expect(await upload.finish()).to.equal(true)
    await expectStored()
  })

  it('makes no request when the file stays small', async () => {
    const upload = await start({ holdsFirst: true })
    await grow(mebibyte / 2)
    await poll()
    await poll()
    expect(await upload.finish()).to.equal(false)
    expect(gateway.calls).to.deep.equal([])
  })

  it('leaves the file to the upload after the step when the gateway opens no upload', async () => {
    const upload = await start({ holdsFirst: false }, ({ path }, response) => {
      if (path !== '/v1/uploads') return false
      response.writeHead(422).end('{}')
      return true
    })
    await grow(11 * mebibyte)
    await untilCalled('POST', 1)
    expect(await upload.finish()).to.equal(false)
  })

  it('sends a part in the end that storage did not take at first', async () => {
    const upload = await start({ holdsFirst: false }, ({ method, count }, response) => {
      if (method !== 'PUT' || count > 1) return false
      response.writeHead(404).end()
      return true
    })
    await grow(11 * mebibyte)
    await untilCalled('PUT', 2)
    expect(await upload.finish()).to.equal(true)
    await expectStored()
  })

  it('completes nothing once the attempt is to end', async () => {
    const upload = await start({ holdsFirst: false })
    await grow(11 * mebibyte)
    await partsPut(2)
    stop.abort(new Error('cancelled'))
    await upload.ended
    expect(gateway.calls).not.to.include('POST /v1/uploads/complete')
    expect(gateway.objects.size).to.equal(0)
  })

  it('the upload ends with the attempt while a part is sent', async () => {
    // Storage takes the part and never answers.
    const upload = await start({ holdsFirst: false }, ({ method }) => method === 'PUT')
    await grow(6 * mebibyte)
    await untilCalled('PUT', 1)
    stop.abort(new Error('cancelled'))
    await upload.ended
    expect(gateway.objects.size).to.equal(0)
  })

  it('requests the URLs of many parts in batches', async () => {
    const upload = await start({ holdsFirst: false })
    await grow(10 * mebibyte)
    await partsPut(2)
    await grow(30 * mebibyte)
    await partsPut(8)
    expect(await upload.finish()).to.equal(true)
    await expectStored()
    const requests = gateway.calls.filter((call) => call === 'POST /v1/uploads/parts').length
    expect(requests).to.be.within(1, 3)
  })

  async function start(
    file: { holdsFirst: boolean },
    intercept: GatewayScript['intercept'] = () => false,
  ) {
    gateway = await startGateway({ partBytes, intercept })
    const still = testEffects(0)
    const schedule: typeof still.clock.schedule = (delayMs, callback) => {
      if (delayMs === pollEveryMs) polls += 1
      return still.clock.schedule(delayMs, callback)
    }
    effects = { ...still, clock: { ...still.clock, schedule } }
    const ask = gatewayRequests(
      { url: gateway.url, readToken: async () => 'token', ca: null },
      effects,
    )
    return startGrowingUpload(
      { path: 'long.mkv', source, alias: 'out_1', ...file },
      {
        gateway: createGateway(ask, 0),
        effects,
        connections: createConnections(effects),
        log: () => undefined,
        objects,
      },
      stop.signal,
    )
  }

  function grow(bytes: number): Promise<void> {
    return appendFile(source, randomBytes(bytes))
  }

  /** Lets time pass until the file has been read once more. */
  async function poll(): Promise<void> {
    const before = polls
    effects.advance(pollEveryMs)
    await until(() => polls > before, 'a poll of the file')
  }

  /** Time passes meanwhile. */
  async function untilCalled(method: string, times: number): Promise<void> {
    await passing(() => gateway.calls.filter((call) => call.startsWith(method)).length >= times)
  }

  function passing(condition: () => boolean): Promise<true> {
    return until(() => {
      effects.advance(pollEveryMs / 2)
      return condition()
    })
  }

  async function rewrite(start: number, bytes: number): Promise<void> {
    const file = await open(source, 'r+')
    await file.write(randomBytes(bytes), 0, bytes, start)
    await file.close()
  }

  /** Numbers of the parts that were put, in the order of their arrival. */
  function puts(): number[] {
    return gateway.parts.map(({ part }) => part)
  }

  async function partsPut(count: number): Promise<void> {
    await passing(() => puts().length >= count)
  }

  async function expectStored(): Promise<void> {
    const stored = gateway.objects.get('long.mkv') ?? Buffer.alloc(0)
    expect(stored.equals(await readFile(source)), 'equal bytes').to.equal(true)
  }
})
