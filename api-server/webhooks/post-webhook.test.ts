import { expect } from 'chai'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { createPostWebhook } from './post-webhook.ts'
import { answering, loopbackWebhooks, startReceiver } from './receiver.fixture.ts'
import { stillEffects } from '../../testing/support/still-effects.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import type { Socket } from 'node:net'
import type { Clock } from '../../common/runtime/effects.ts'
import type { PostWebhook } from './post-webhook.ts'
import type { Answer, TestReceiver } from './receiver.fixture.ts'

const never = new AbortController().signal
const network = { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] as string[] }

describe('posting to a webhook receiver', () => {
  const receivers: TestReceiver[] = []
  afterEach(() => Promise.all(receivers.splice(0).map((one) => one.close())))

  async function receiver(...answers: Answer[]): Promise<TestReceiver> {
    const started = await startReceiver(...answers)
    receivers.push(started)
    return started
  }
  const post = loopbackWebhooks(stillEffects().clock)
  const send = (url: string, how: PostWebhook = post) =>
    how({ url, headers: { 'webhook-id': 'msg_1' }, body: '{"data":"ü"}' }, never)

  it('sends body and headers unchanged to the full URL', async () => {
    const { url, received } = await receiver((response, { headers }) => {
      expect(headers['content-length']).to.equal('13')
      response.writeHead(204).end()
    })
    expect(await send(`${url}/hook?key=1`)).to.deep.equal({
      ok: true,
      responseStatus: 204,
      error: null,
      excerpt: null,
    })
    expect(received[0]?.body).to.equal('{"data":"ü"}')
    expect(received[0]?.headers).to.include({ 'webhook-id': 'msg_1' })
  })

  for (const status of [400, 410, 500]) {
    it(`returns ${status} as a failure with the beginning of the answer, without an error text`, async () => {
      const { url } = await receiver((response) =>
        response.writeHead(status).end('no such order'.padEnd(100_000)),
      )
      const { excerpt, ...result } = await send(url)
      expect(result).to.deep.equal({ ok: false, responseStatus: status, error: null })
      expect(excerpt).to.equal('no such order'.padEnd(1_024))
    })
  }

  it('follows no redirect of a receiver', async () => {
    const target = await receiver(answering(200))
    const { url } = await receiver((response) =>
      response.writeHead(307, { location: target.url }).end(),
    )
    expect(await send(url)).to.deep.equal({
      ok: false,
      responseStatus: 307,
      error: 'The URL redirects, which is not followed',
      excerpt: null,
    })
    expect(target.received).to.deep.equal([])
  })

  it('stops reading an answer at 64 KiB', async () => {
    let written = 0
    const { url } = await receiver((response) => {
      const more = (): void => {
        while (!response.destroyed) {
          written += 65_536
          if (!response.write(Buffer.alloc(65_536))) break
        }
      }
      response.writeHead(200)
      response.on('drain', more)
      more()
    })
    expect(await send(url)).to.include({ ok: true, responseStatus: 200 })
    expect(written).to.be.lessThan(64 * 1_048_576)
  })

  it('gives up after 15 seconds without an answer', async () => {
    const { url, arrived } = await receiver(() => undefined)
    const clock = createVirtualClock()
    const sent = loopbackWebhooks(clock)({ url, headers: {}, body: '{}' }, never)
    // A real connection is established first; the virtual clock does not wait for it.
    await arrived(1)
    await clock.advance(14_999)
    expect(await Promise.race([sent, Promise.resolve('waiting')])).to.equal('waiting')
    await clock.advance(1)
    expect(await sent).to.deep.equal({
      ok: false,
      responseStatus: null,
      error: 'The URL did not answer within 15 s',
      excerpt: null,
    })
  })

  const lengths = [
    ['with a length', { 'content-length': '100' }],
    ['without a length', {}],
  ] as const
  for (const [name, headers] of lengths) {
    for (const [status, ok] of [
      [200, true],
      [500, false],
    ] as const) {
      const half: Answer = (response) => response.writeHead(status, headers).write('half')

      it(`takes ${status} as the answer 2 seconds after its head where a body ${name} does not end`, async () => {
        const { url } = await receiver(half)
        const clock = createVirtualClock()
        const headRead = Promise.withResolvers<undefined>()
        const schedule: Clock['schedule'] = (delayMs, callback) => {
          if (delayMs === 2_000) headRead.resolve(undefined)
          return clock.schedule(delayMs, callback)
        }
        const how = loopbackWebhooks({ ...clock, schedule })
        const sent = how({ url, headers: {}, body: '{}' }, never)
        await headRead.promise
        await clock.advance(1_999)
        expect(await Promise.race([sent, Promise.resolve('waiting')])).to.equal('waiting')
        await clock.advance(1)
        const { excerpt, ...rest } = await sent
        expect(rest).to.deep.equal({ ok, responseStatus: status, error: null })
        expect([null, 'half']).to.include(excerpt)
      })

      it(`takes ${status} as the answer where the connection ends within a body ${name}`, async () => {
        const { url } = await receiver((response, request) => {
          half(response, request)
          setImmediate(() => response.destroy())
        })
        expect(await send(url)).to.include({ ok, responseStatus: status, error: null })
      })
    }
  }

  it('describes failed connections to a receiver', async () => {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.resume()
      if (sockets.length === 1) socket.destroy()
      else socket.end('nonsense\r\n\r\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const url = `http://127.0.0.1:${port}/`
    expect((await send(url)).error).to.equal('The URL closed the connection')
    expect((await send(url)).error).to.equal('The URL answered with broken HTTP')
    server.close()
    await once(server, 'close')
    expect((await send(url)).error).to.equal('The URL refused the connection')
  })

  it('connects to no internal address in any notation, and names no reason', async () => {
    const { url, received } = await receiver(answering(200))
    const { port } = new URL(url)
    const closed = createPostWebhook({
      network: { ...network, allowCidrs: [] },
      resolve: async () => ['127.0.0.1'],
      resolveOwn: async () => [],
      clock: stillEffects().clock,
    })
    for (const host of ['127.0.0.1', '0x7f000001', '[::1]', 'hook.example', 'localhost']) {
      expect(await send(`http://${host}:${port}/`, closed), host).to.deep.equal({
        ok: false,
        responseStatus: null,
        error: 'The URL is not at a public address',
        excerpt: null,
      })
    }
    expect(received).to.deep.equal([])
  })

  it("connects to none of the service's own addresses in an allowed range, and resolves them anew", async () => {
    const { url, received } = await receiver(answering(200))
    const { port } = new URL(url)
    const clock = createVirtualClock()
    let own: string[] = []
    const how = createPostWebhook({
      network: { ...network, denyEndpoints: [`gateway:${port}`] },
      resolve: async () => ['127.0.0.1'],
      resolveOwn: async () => own,
      clock,
    })
    expect(await send(`http://hook.example:${port}/`, how)).to.include({ ok: true })
    own = ['127.0.0.1']
    await clock.advance(30_000)
    expect(await send(`http://hook.example:${port}/`, how)).to.include({ ok: false })
    expect(received.length).to.equal(1)
  })

  it('connects to no server of the Kubernetes API in an allowed range, and to one that is new neither', async () => {
    const { url, received } = await receiver(answering(200))
    const { port } = new URL(url)
    const clock = createVirtualClock()
    let servers: string[] = ['10.0.0.1:6443']
    const how = createPostWebhook({
      network,
      kubernetesApi: () => servers,
      resolve: async () => ['127.0.0.1'],
      resolveOwn: async () => [],
      clock,
    })
    expect(await send(url, how)).to.include({ ok: true })
    servers = [`127.0.0.1:${port}`]
    await clock.advance(30_000)
    for (const host of ['127.0.0.1', 'hook.example']) {
      expect(await send(`http://${host}:${port}/`, how), host).to.include({
        ok: false,
        error: 'The URL is not at a public address',
      })
    }
    expect(received.length).to.equal(1)
  })

  it('the attempt ends with the signal', async () => {
    const { url, arrived } = await receiver(() => undefined)
    const stop = new AbortController()
    const sent = post({ url, headers: {}, body: '' }, stop.signal).catch((error: unknown) => error)
    await arrived(1)
    stop.abort(new Error('stopping'))
    expect(await sent).to.have.property('message', 'stopping')
  })
})
