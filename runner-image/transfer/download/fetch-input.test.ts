import { expect } from 'chai'
import type http from 'node:http'
import { fetchFixture } from '../../../testing/runner/fetch-fixture.ts'
import { startHttp } from '../../../testing/runner/servers.ts'
import { useFixture } from '../../../testing/support/scratch.ts'

const MiB = 1024 * 1024

describe('fetching an input', () => {
  const fixture = useFixture(fetchFixture)

  it('writes it under its alias with the extension of its source', async () => {
    const url = await fixture.origin((_request, response) => response.end('bytes'))
    const [input] = await fixture.fetch(`${url}/My%20Clip.MP4?token=1`)
    expect(input).to.deep.equal({
      alias: 'in_1',
      path: '../in/in_1.mp4',
      fileName: 'My Clip.MP4',
      bytes: 5,
    })
    expect(await text('in_1.mp4')).to.equal('bytes')
    expect(await fixture.names()).to.deep.equal(['in_1.mp4'])
  })

  it('requests plain bytes and sends neither cookies nor credentials', async () => {
    const url = await fixture.origin((_request, response) => response.end('x'))
    await fixture.fetch(`${url}/a.mp4`)
    expect(Object.keys(fixture.requests[0]?.headers ?? {}).toSorted()).to.deep.equal([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })

  for (const status of [408, 429, 500, 503]) {
    it(`tries again after ${String(status)}`, async () => {
      const url = await fixture.origin((_request, response) => {
        response.writeHead(fixture.requests.length < 4 ? status : 200).end('good')
      })
      await fixture.fetch(`${url}/a.mp4`)
      expect([fixture.requests.length, await text('in_1.mp4')]).to.deep.equal([4, 'good'])
    })
  }

  it('gives up after four tries', async () => {
    const url = await fixture.origin((_request, response) => response.writeHead(503).end())
    expect(await fixture.refusal(`${url}/a.mp4?key=1`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/a.mp4 answered 503 Service Unavailable`,
    ])
    expect(fixture.requests.length).to.equal(4)
  })

  it('gives up at once at 403', async () => {
    const url = await fixture.origin((_request, response) => response.writeHead(403).end())
    expect(await fixture.refusal(`${url}/a.mp4`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/a.mp4 answered 403 Forbidden`,
    ])
    expect(fixture.requests.length).to.equal(1)
  })

  it('the download resumes where the connection broke, when the server proves it is the same file', async () => {
    const url = await fixture.origin((request, response) => {
      const head = { etag: '"v1"', 'accept-ranges': 'bytes' }
      if (request.headers.range === undefined) {
        response.writeHead(200, { ...head, 'content-length': 10 })
        breakOff(response, '01234')
      } else {
        expect([request.headers.range, request.headers['if-range']]).to.deep.equal([
          'bytes=5-',
          '"v1"',
        ])
        response.writeHead(206, { ...head, 'content-range': 'bytes 5-9/10' }).end('56789')
      }
    })
    await fixture.fetch(`${url}/a.mp4`)
    expect([fixture.requests.length, await text('in_1.mp4')]).to.deep.equal([2, '0123456789'])
  })

  it('the download starts over instead of splicing when the file changed meanwhile', async () => {
    const url = await fixture.origin((request, response) => {
      if (fixture.requests.length === 1) {
        response.writeHead(200, { etag: '"v1"', 'content-length': 10 })
        breakOff(response, '01234')
      } else if (request.headers.range === undefined) {
        response.writeHead(200, { etag: '"v2"', 'content-length': 6 }).end('abcdef')
      } else {
        response.writeHead(206, { etag: '"v2"', 'content-range': 'bytes 5-5/6' }).end('f')
      }
    })
    await fixture.fetch(`${url}/a.mp4`)
    expect(await text('in_1.mp4')).to.equal('abcdef')
  })

  it('takes a whole new file that comes in answer to a range', async () => {
    const url = await fixture.origin((_request, response) => {
      if (fixture.requests.length === 1) {
        response.writeHead(200, { etag: '"v1"', 'content-length': 10 })
        breakOff(response, '01234')
      } else response.writeHead(200, { etag: '"v2"', 'content-length': 3 }).end('new')
    })
    await fixture.fetch(`${url}/a.mp4`)
    expect(await text('in_1.mp4')).to.equal('new')
  })

  it('fails a body that is shorter than announced, each time', async () => {
    const url = await fixture.raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n01234')
    expect(await fixture.refusal(`${url}/a.mp4`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/a.mp4 closed the connection`,
    ])
  })

  it('fails a body that is longer than announced, each time', async () => {
    const url = await fixture.raw('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n0123456789')
    expect(await fixture.refusal(`${url}/a.mp4`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/a.mp4 answered with broken HTTP`,
    ])
  })

  it('fails what is not HTTP', async () => {
    const url = await fixture.raw('SSH-2.0-OpenSSH_9.9\r\n')
    expect((await fixture.refusal(`${url}/a.mp4`))[1]).to.equal(
      `in_1: ${url}/a.mp4 answered with broken HTTP`,
    )
  })

  it('refuses a web page under the name of a file', async () => {
    const url = await fixture.origin((_request, response) =>
      response.end('<!doctype html><title>Sorry'),
    )
    expect((await fixture.refusal(`${url}/a.mp4`))[1]).to.equal(
      `in_1: ${url}/a.mp4 answered a web page`,
    )
  })

  it('refuses by Content-Length before a byte is written', async () => {
    const url = await fixture.origin((_request, response) => {
      response.writeHead(200, { 'content-length': 3 * MiB }).write('x')
    })
    expect(await fixture.refusal(`${url}/a.mp4`, { fileBytes: 2 * MiB })).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_1: 3 MB, the plan allows 2 MB per file',
    ])
  })

  it('stops an endless body at the limit', async () => {
    const url = await fixture.origin((_request, response) => {
      const more = (): void => {
        while (response.write(Buffer.alloc(64 * 1024)));
        response.once('drain', more)
      }
      more()
    })
    const [status, message] = await fixture.refusal(`${url}/a.mp4`, { fileBytes: 2 * MiB })
    expect([status, message.startsWith('in_1: over 2')]).to.deep.equal(['INPUT_TOO_LARGE', true])
  })

  it('counts all inputs against the working disk', async () => {
    const url = await fixture.origin((_request, response) => response.end(Buffer.alloc(MiB)))
    const [status] = await fixture.refusal([`${url}/a.mp4`, `${url}/b.mp4`], {
      scratchBytes: 1.5 * MiB,
    })
    expect(status).to.equal('INPUT_TOO_LARGE')
  })

  it('fails a server that sends a byte now and then', async () => {
    const url = await fixture.origin((_request, response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('x')
      void fixture.partWritten().then(() => {
        fixture.effects.advance(30_000)
      })
    })
    expect((await fixture.refusal(`${url}/a.mp4`))[1]).to.equal(
      `in_1: ${url}/a.mp4 sent less than 64 KiB in 30 s`,
    )
  })

  it('fails a server that never answers', async () => {
    const url = await fixture.origin(() => {
      fixture.effects.advance(30_000)
    })
    expect((await fixture.refusal(`${url}/a.mp4`))[1]).to.equal(
      `in_1: ${url}/a.mp4 did not answer in time`,
    )
    expect(fixture.requests.length).to.equal(4)
  })

  it('fails a refused connection', async () => {
    const server = await startHttp(() => undefined)
    await server.close()
    expect((await fixture.refusal(`${server.url}/a.mp4`))[1]).to.equal(
      `in_1: ${server.url}/a.mp4 refused the connection`,
    )
  })

  it('the download never requests a file of our own that the account does not have', async () => {
    const url = await fixture.origin((_request, response) => response.end('x'))
    expect(
      await fixture.refusal(`${url}/a.mp4?X-Amz-Signature=1`, { missing: true }),
    ).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      'in_1: this account has no such file in the storage; if it was deleted, upload it again',
    ])
    expect(fixture.requests.length).to.equal(0)
  })

  it('fails a URL whose path ends in a slash where the server gives no name', async () => {
    const url = await fixture.origin((_request, response) => response.end('x'))
    expect((await fixture.refusal(`${url}/`))[1]).to.equal(
      'in_1: the URL has no valid file name at its end',
    )
  })

  it('fetches a path in one segment as it was sent', async () => {
    const url = await fixture.origin((_request, response) => response.end('x'))
    const [input] = await fixture.fetch(`${url}/o/clips%2Fsummer.mp4?alt=media`)
    expect(fixture.requests[0]?.url).to.equal('/o/clips%2Fsummer.mp4?alt=media')
    expect(input?.fileName).to.equal('summer.mp4')
  })

  it('names a file by what the server says when the URL does not', async () => {
    const url = await fixture.origin((_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="b.webm"' }).end('x'),
    )
    expect((await fixture.fetch(`${url}/download?id=1`))[0]?.path).to.equal('../in/in_1.webm')
  })

  /** Breaks the connection once the client has written what it was sent. */
  function breakOff(response: http.ServerResponse, sent: string): void {
    response.write(sent)
    void fixture.partWritten().then(() => response.destroy())
  }

  async function text(name: string): Promise<string> {
    return (await fixture.stored(name)).toString()
  }
})
