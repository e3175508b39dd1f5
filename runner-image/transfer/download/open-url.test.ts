import { expect } from 'chai'
import type http from 'node:http'
import { Failure } from '../../../common/domain/failures.ts'
import type { Assignment } from '../../../common/gateway/messages.ts'
import { startHttp, startRaw } from '../../../testing/runner/servers.ts'
import type { TestServer } from '../../../testing/runner/servers.ts'
import { testEffects } from '../../../testing/runner/test-effects.ts'
import { fetchError } from './fetch-error.ts'
import { createGuard } from '../../../common/network/guard.ts'
import { guardedPool } from './http/connection-pool.ts'
import { guardedOpen } from './open-url.ts'

const loopbackAllowed = { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] }
const nothingAllowed = { ...loopbackAllowed, allowCidrs: [] }

describe("opening a customer's URL", () => {
  const servers: TestServer[] = []
  const seen: { host: string; path: string; cookie: string }[] = []
  afterEach(async () => {
    seen.length = 0
    await Promise.all(servers.splice(0).map((server) => server.close()))
  })

  it('reaches an allowed address by its name', async () => {
    const { port } = await serve((_request, response) => response.end('good'))
    expect(
      await open(`http://media.example:${String(port)}/a`, { 'media.example': ['127.0.0.1'] }),
    ).to.equal('good')
    expect(seen[0]?.host).to.equal(`media.example:${String(port)}`)
  })

  it('refuses an address literal, which needs no resolver', async () => {
    const { port } = await serve((_request, response) => response.end('secret'))
    for (const host of [
      '127.0.0.1',
      '0x7f000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
    ]) {
      const outcome = await open(`http://${host}:${String(port)}/a`, {}, nothingAllowed)
      expect(outcome).to.equal('is not at a public address')
    }
    expect(seen).to.deep.equal([])
  })

  it('dials only those addresses of a name that are open', async () => {
    const { port } = await serve((_request, response) => response.end('good'))
    const names = { 'media.example': ['10.0.0.1', '169.254.169.254', '127.0.0.1'] }
    expect(await open(`http://media.example:${String(port)}/a`, names)).to.equal('good')
  })

  it('refuses a name that leads to none', async () => {
    const names = { 'media.example': ['10.0.0.1', '::1'] }
    expect(await open('http://media.example/a', names)).to.equal('is not at a public address')
  })

  it('resolves once: a name that answers differently the second time gains nothing', async () => {
    const { port } = await serve((_request, response) => response.end('good'))
    let answers = 0
    const guard = createGuard(loopbackAllowed, async () =>
      ++answers === 1 ? ['127.0.0.1'] : ['10.0.0.1'],
    )
    expect(await openWith(guard, `http://media.example:${String(port)}/a`)).to.equal('good')
    expect(answers).to.equal(1)
  })

  it('tries the next address when one does not take connections', async () => {
    const { port } = await serve((_request, response) => response.end('good'))
    const names = { 'media.example': ['127.0.0.9', '127.0.0.1'] }
    expect(await open(`http://media.example:${String(port)}/a`, names)).to.equal('good')
  })

  it("keeps the service's own endpoints closed, by name and by address", async () => {
    const { port } = await serve((_request, response) => response.end('secret'))
    const network = {
      ...loopbackAllowed,
      denyEndpoints: [`gateway.cloud.svc:${String(port)}`, '[::1]:1234'],
    }
    const names = { 'gateway.cloud.svc': ['127.0.0.1'], 'media.example': ['127.0.0.1'] }
    const outcome = await open(`http://media.example:${String(port)}/a`, names, network)
    expect([outcome, seen]).to.deep.equal(['is not at a public address', []])
  })

  it('follows five redirects, and no sixth', async () => {
    const { port } = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('good')
      else response.writeHead(302, { location: `/${String(left - 1)}`, 'set-cookie': 'a=1' }).end()
    })
    expect(await open(`http://127.0.0.1:${String(port)}/5`)).to.equal('good')
    expect(seen.map(({ cookie }) => cookie)).to.deep.equal(Array.from({ length: 6 }, () => ''))
    expect(await open(`http://127.0.0.1:${String(port)}/6`)).to.equal('redirects more than 5 times')
  })

  const targets: [string, string][] = [
    ['http://10.0.0.1/a', 'is not at a public address'],
    ['http://inside.example/a', 'is not at a public address'],
    ['http://metadata.google.internal/a', 'is not at a public address'],
    ['http://user:pw@127.0.0.1/a', 'holds a user name or password'],
    ['http://127.0.0.1:22/a', 'uses port 22; 80, 443 and ports above 1023 are open'],
    ['file:///etc/passwd', 'is neither http nor https'],
    ['http://[', 'redirects to an invalid URL'],
  ]
  for (const [target, reason] of targets) {
    it(`checks a redirect to ${target} like the first URL`, async () => {
      const { port } = await serve((_request, response) =>
        response.writeHead(307, { location: target }).end(),
      )
      const names = { 'inside.example': ['10.0.0.1'] }
      expect(await open(`http://127.0.0.1:${String(port)}/a`, names)).to.equal(reason)
    })
  }

  it('gives TLS the name that the customer wrote, while dialling the checked address', async () => {
    const hello = Promise.withResolvers<Buffer>()
    const server = await startRaw((socket) => {
      socket.once('data', (bytes) => {
        hello.resolve(Buffer.from(bytes))
        socket.destroy()
      })
    })
    servers.push(server)
    const names = { 'media.example': ['127.0.0.1'] }
    const outcome = await open(`https://media.example:${String(server.port)}/a`, names)
    expect([(await hello.promise).includes('media.example'), outcome]).to.deep.equal([
      true,
      'closed the connection',
    ])
  })

  it('reports a server without TLS as such, not as one with a wrong certificate', async () => {
    const { port } = await serve((_request, response) => response.end('plain'))
    expect(await open(`https://127.0.0.1:${String(port)}/a`)).to.equal(
      'does not speak TLS: the server is not an https server',
    )
    const garbage = await startRaw((socket) =>
      socket.once('data', () => socket.end('\u0001\u0002345678')),
    )
    servers.push(garbage)
    expect(await open(`https://127.0.0.1:${String(garbage.port)}/a`)).to.equal(
      'does not speak TLS: the server is not an https server',
    )
  })

  it('blames the server for any error of its name or its handshake', async () => {
    const guard = createGuard(loopbackAllowed, () =>
      Promise.reject(Object.assign(new Error('x'), { code: 'EINVAL', syscall: 'getaddrinfo' })),
    )
    const outcome = await openWith(guard, 'http://media.example/a')
    expect(outcome).to.equal('has a host name that does not exist')
  })

  it('fails a name that does not exist at once', async () => {
    expect(await open('http://nowhere.example/a')).to.equal('has a host name that does not exist')
  })

  async function serve(
    handler: (request: http.IncomingMessage, response: http.ServerResponse) => unknown,
  ): Promise<TestServer> {
    const server = await startHttp((request, response) => {
      const { host = '', cookie = '' } = request.headers
      seen.push({ host, cookie, path: request.url ?? '' })
      handler(request, response)
    })
    servers.push(server)
    return server
  }

  function open(
    url: string,
    names: Record<string, string[]> = {},
    network: Assignment['network'] = loopbackAllowed,
  ): Promise<string> {
    const guard = createGuard(network, async (host) => {
      const addresses = names[host]
      if (addresses !== undefined) return addresses
      throw Object.assign(new Error(host), { code: 'ENOTFOUND' })
    })
    return openWith(guard, url)
  }

  /** The body, or what would be said of the URL. */
  async function openWith(guard: ReturnType<typeof createGuard>, url: string): Promise<string> {
    const { clock } = testEffects()
    const pool = guardedPool(guard, clock)
    try {
      const { signal } = new AbortController()
      const { response } = await guardedOpen(pool, clock)(new URL(url), {}, signal)
      const pieces: Buffer[] = []
      await response.read((piece) => pieces.push(Buffer.from(piece)) > 0)
      return Buffer.concat(pieces).toString()
    } catch (error) {
      const known = fetchError(error)
      if (known instanceof Failure || known instanceof Error) return known.message
      throw error
    } finally {
      pool.close()
    }
  }
})
