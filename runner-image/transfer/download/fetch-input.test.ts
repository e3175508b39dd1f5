import { expect } from 'chai'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import type http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Failure } from '../../../common/failures.ts'
import { startHttp, startRaw } from '../testing/servers.ts'
import type { TestServer } from '../testing/servers.ts'
import { testEffects } from '../testing/test-effects.ts'
import type { TestEffects } from '../testing/test-effects.ts'
import { fetchInputs } from './fetch-inputs.ts'

const MiB = 1024 * 1024

describe('fetching an input', () => {
  let root: string
  let effects: TestEffects
  let requests: http.IncomingMessage[]
  const servers: TestServer[] = []

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'fetch-'))
    await mkdir(join(root, 'in'))
    await mkdir(join(root, 'work'))
    effects = testEffects()
    requests = []
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()))
    await rm(root, { recursive: true })
  })

  it('writes it under its alias with the extension of its source', async () => {
    const url = await origin((_request, response) => response.end('bytes'))
    const [input] = await fetch(`${url}/My%20Clip.MP4?token=1`)
    expect(input).to.deep.equal({
      alias: 'in_1',
      path: '../in/in_1.mp4',
      fileName: 'My Clip.MP4',
      bytes: 5,
    })
    expect(await stored('in_1.mp4')).to.equal('bytes')
    expect(await readdir(join(root, 'in'))).to.deep.equal(['in_1.mp4'])
  })

  it('asks for plain bytes and sends neither cookies nor credentials', async () => {
    const url = await origin((_request, response) => response.end('x'))
    await fetch(`${url}/a.mp4`)
    expect(Object.keys(requests[0]?.headers ?? {}).toSorted()).to.deep.equal([
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  for (const status of [408, 429, 500, 503]) {
    it(`tries again after ${String(status)}`, async () => {
      const url = await origin((_request, response) => {
        response.writeHead(requests.length < 4 ? status : 200).end('good')
      })
      await fetch(`${url}/a.mp4`)
      expect([requests.length, await stored('in_1.mp4')]).to.deep.equal([4, 'good'])
    })
  }

  it('gives up after four tries', async () => {
    const url = await origin((_request, response) => response.writeHead(503).end())
    expect(await refusal(`${url}/a.mp4?key=1`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/a.mp4 answered 503 Service Unavailable`,
    ])
    expect(requests.length).to.equal(4)
  })

  it('gives up at once at 403', async () => {
    const url = await origin((_request, response) => response.writeHead(403).end())
    expect(await refusal(`${url}/a.mp4`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/a.mp4 answered 403 Forbidden`,
    ])
    expect(requests.length).to.equal(1)
  })

  it('resumes where the connection broke, when the server proves it is the same file', async () => {
    const url = await origin((request, response) => {
      const head = { etag: '"v1"', 'accept-ranges': 'bytes' }
      if (request.headers.range === undefined) {
        response.writeHead(200, { ...head, 'content-length': 10 })
        response.write('01234', () => response.destroy())
      } else {
        expect([request.headers.range, request.headers['if-range']]).to.deep.equal([
          'bytes=5-',
          '"v1"',
        ])
        response.writeHead(206, { ...head, 'content-range': 'bytes 5-9/10' }).end('56789')
      }
    })
    await fetch(`${url}/a.mp4`)
    expect([requests.length, await stored('in_1.mp4')]).to.deep.equal([2, '0123456789'])
  })

  it('starts over instead of splicing when the file changed meanwhile', async () => {
    const url = await origin((request, response) => {
      if (requests.length === 1) {
        response.writeHead(200, { etag: '"v1"', 'content-length': 10 })
        response.write('01234', () => response.destroy())
      } else if (request.headers.range === undefined) {
        response.writeHead(200, { etag: '"v2"', 'content-length': 6 }).end('abcdef')
      } else {
        response.writeHead(206, { etag: '"v2"', 'content-range': 'bytes 5-5/6' }).end('f')
      }
    })
    await fetch(`${url}/a.mp4`)
    expect(await stored('in_1.mp4')).to.equal('abcdef')
  })

  it('takes a whole new file that comes in answer to a range', async () => {
    const url = await origin((_request, response) => {
      if (requests.length === 1) {
        response.writeHead(200, { etag: '"v1"', 'content-length': 10 })
        response.write('01234', () => response.destroy())
      } else response.writeHead(200, { etag: '"v2"', 'content-length': 3 }).end('new')
    })
    await fetch(`${url}/a.mp4`)
    expect(await stored('in_1.mp4')).to.equal('new')
  })

  it('fails a body that is shorter than announced, each time', async () => {
    const url = await raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n01234')
    expect(await refusal(`${url}/a.mp4`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/a.mp4 closed the connection`,
    ])
  })

  it('fails what is not HTTP', async () => {
    const url = await raw('SSH-2.0-OpenSSH_9.9\r\n')
    expect((await refusal(`${url}/a.mp4`))[1]).to.equal(
      `in_1: ${url}/a.mp4 answered with broken HTTP`,
    )
  })

  it('refuses an encoded body', async () => {
    const url = await origin((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    )
    expect((await refusal(`${url}/a.mp4`))[1]).to.equal(
      `in_1: ${url}/a.mp4 answered with Content-Encoding gzip`,
    )
  })

  it('refuses a web page under the name of a file', async () => {
    const url = await origin((_request, response) => response.end('<!doctype html><title>Sorry'))
    expect((await refusal(`${url}/a.mp4`))[1]).to.equal(`in_1: ${url}/a.mp4 answered a web page`)
  })

  it('refuses by Content-Length before a byte is written', async () => {
    const url = await origin((_request, response) => {
      response.writeHead(200, { 'content-length': 3 * MiB }).write('x')
    })
    expect(await refusal(`${url}/a.mp4`, { fileBytes: 2 * MiB })).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_1: 3 MB, the plan allows 2 MB per file',
    ])
  })

  it('stops an endless body at the limit', async () => {
    const url = await origin((_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(64 * 1024)));
        response.once('drain', more)
      }
      more()
    })
    const [status, message] = await refusal(`${url}/a.mp4`, { fileBytes: 2 * MiB })
    expect([status, message.startsWith('in_1: over 2')]).to.deep.equal(['INPUT_TOO_LARGE', true])
  })

  it('counts all inputs against the working disk', async () => {
    const url = await origin((_request, response) => response.end(Buffer.alloc(MiB)))
    const [status] = await refusal([`${url}/a.mp4`, `${url}/b.mp4`], { scratchBytes: 1.5 * MiB })
    expect(status).to.equal('INPUT_TOO_LARGE')
  })

  it('fails a server that sends a byte now and then', async () => {
    const url = await origin((_request, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('x')
      void partWritten().then(() => {
        effects.advance(30_000)
      })
    })
    expect((await refusal(`${url}/a.mp4`))[1]).to.equal(
      `in_1: ${url}/a.mp4 sent less than 64 KiB in 30 s`,
    )
  })

  it('fails a server that never answers', async () => {
    const url = await origin(() => {
      effects.advance(30_000)
    })
    expect((await refusal(`${url}/a.mp4`))[1]).to.equal(`in_1: ${url}/a.mp4 did not answer in time`)
    expect(requests.length).to.equal(4)
  })

  it('fails a refused connection', async () => {
    const server = await startHttp(() => undefined)
    await server.close()
    expect((await refusal(`${server.url}/a.mp4`))[1]).to.equal(
      `in_1: ${server.url}/a.mp4 refused the connection`,
    )
  })

  it('fails a URL without a file name before asking anybody', async () => {
    const url = await origin((_request, response) => response.end('x'))
    expect((await refusal(`${url}/a%2Fb.mp4`))[1]).to.equal(
      'in_1: the URL has no valid file name at its end: it contains a slash or backslash',
    )
    expect(requests.length).to.equal(0)
    expect((await refusal(`${url}/`))[1]).to.equal(
      'in_1: the URL has no valid file name at its end',
    )
  })

  it('names a file by what the server says where the URL does not', async () => {
    const url = await origin((_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="b.webm"' }).end('x'),
    )
    expect((await fetch(`${url}/download?id=1`))[0]?.path).to.equal('../in/in_1.webm')
  })

  describe('of a large file', () => {
    const file = randomBytes(80 * MiB + 12_345)

    it('uses ranges beside the stream and puts them together right', async () => {
      const url = await origin(rangeServer(file, '"v1"'))
      await fetch(`${url}/a.mp4`)
      expect(requests.filter(({ headers }) => headers.range !== undefined).length).to.be.above(1)
      expect(await digest('in_1.mp4')).to.equal(sha(file))
    })

    it('stays with one stream where ranges are not offered', async () => {
      const url = await origin((_request, response) =>
        response.writeHead(200, { 'content-length': file.length, etag: '"v1"' }).end(file),
      )
      await fetch(`${url}/a.mp4`)
      expect([requests.length, await digest('in_1.mp4')]).to.deep.equal([1, sha(file)])
    })

    it('starts over when a range is of another version', async () => {
      const other = randomBytes(1000)
      const first = rangeServer(file, '"v1"')
      const url = await origin((request, response) => {
        if (requests.length <= 2) first(request, response)
        else rangeServer(other, '"v2"')(request, response)
      })
      await fetch(`${url}/a.mp4`)
      expect(await digest('in_1.mp4')).to.equal(sha(other))
    })

    it('fetches a range again that broke off', async () => {
      const whole = rangeServer(file, '"v1"')
      const url = await origin((request, response) => {
        if (requests.length === 3) response.destroy()
        else whole(request, response)
      })
      await fetch(`${url}/a.mp4`)
      expect(await digest('in_1.mp4')).to.equal(sha(file))
    })
  })

  function rangeServer(body: Buffer, etag: string) {
    return (request: http.IncomingMessage, response: http.ServerResponse): void => {
      const head = { etag, 'accept-ranges': 'bytes' }
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
      if (first === undefined || request.headers['if-range'] !== etag) {
        response.writeHead(200, { ...head, 'content-length': body.length }).end(body)
        return
      }
      const end = last ? Number(last) : body.length - 1
      const range = `bytes ${first}-${String(end)}/${String(body.length)}`
      response
        .writeHead(206, { ...head, 'content-range': range })
        .end(body.subarray(Number(first), end + 1))
    }
  }

  async function origin(
    handler: (request: http.IncomingMessage, response: http.ServerResponse) => unknown,
  ): Promise<string> {
    const server = await startHttp((request, response) => {
      requests.push(request)
      handler(request, response)
    })
    servers.push(server)
    return server.url
  }

  async function raw(answer: string): Promise<string> {
    const server = await startRaw((socket) => socket.once('data', () => socket.end(answer)))
    servers.push(server)
    return server.url
  }

  function fetch(
    urls: string | readonly string[],
    limits: { fileBytes?: number; scratchBytes?: number } = {},
  ) {
    return fetchInputs(
      {
        sources: [urls].flat().map((url, index) => ({
          alias: `in_${String(index + 1)}`,
          url,
          stored: null,
        })),
        assignment: {
          limits: {
            fileBytes: limits.fileBytes ?? null,
            scratchBytes: limits.scratchBytes ?? 1024 * MiB,
            fileCount: 10,
            maxPixels: 1,
            transferSeconds: 60,
          },
          network: { allowCidrs: ['127.0.0.0/8'], denyCidrs: [], denyEndpoints: [] },
        },
        work: join(root, 'work'),
        effects,
        resolve: async () => [],
        onFetched: () => undefined,
      },
      new AbortController().signal,
    )
  }

  async function refusal(
    urls: string | readonly string[],
    limits?: { fileBytes?: number; scratchBytes?: number },
  ): Promise<[string, string]> {
    try {
      await fetch(urls, limits)
    } catch (error) {
      if (error instanceof Failure) return [error.status, error.message]
      throw error
    }
    throw new Error('it was fetched')
  }

  async function partWritten(): Promise<void> {
    while ((await stat(join(root, 'in/in_1.part'))).size === 0) await setImmediate()
  }

  async function stored(name: string): Promise<string> {
    return readFile(join(root, 'in', name), 'utf8')
  }

  async function digest(name: string): Promise<string> {
    return sha(await readFile(join(root, 'in', name)))
  }

  function sha(body: Buffer): string {
    return createHash('sha256').update(body).digest('hex')
  }
})
