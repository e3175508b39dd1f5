import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import type http from 'node:http'
import { fetchFixture } from '../../../testing/runner/fetch-fixture.ts'
import {
  breaksRanges,
  compresses,
  ignoresRanges,
  onceOnly,
  onceOnlyAndBroken,
  oneConnection,
  redirectsTo,
  tiresOfRanges,
  wantsClientHeaders,
  wrongRanges,
} from '../../../testing/runner/odd-servers.ts'
import type { OriginHandler } from '../../../testing/runner/fetch-fixture.ts'
import { until } from '../../../testing/support/until.ts'
import { useFixture } from '../../../testing/support/scratch.ts'

const large = randomBytes(20 * 1024 * 1024 + 321)
const text = Buffer.from('1\n00:00:00,000 --> 00:00:02,000\nHello\n\n'.repeat(400))

describe('an input from an odd server', () => {
  const fixture = useFixture(fetchFixture)

  const servers: [string, OriginHandler][] = [
    ['that announces ranges and answers with the whole file', ignoresRanges(large)],
    ['that breaks each range off', breaksRanges(large)],
    ['that serves two ranges and refuses the rest', tiresOfRanges(large)],
    ...[503, 429, 403, 'reset' as const].map((refusal): [string, OriginHandler] => [
      `that has one connection and answers ${String(refusal)} on others`,
      oneConnection(large, refusal),
    ]),
    ...[404, 403, 410].map((status): [string, OriginHandler] => [
      `whose link works once and answers ${String(status)} after it`,
      onceOnly(large, status),
    ]),
    ...(['length', 'validator', 'offset', 'total', 'no validator', 'multipart'] as const).map(
      (wrong): [string, OriginHandler] => [
        `whose ranges have a wrong ${wrong}`,
        wrongRanges(large, wrong),
      ],
    ),
  ]
  for (const [name, handler] of servers) {
    it(`an input is whole from a server ${name}`, async () => {
      const url = await fixture.origin(handler)
      await fixture.fetch(`${url}/a.mp4`)
      expect((await fixture.stored('in_1.mp4')).equals(large)).to.equal(true)
      expect(fixture.requests.some(({ headers }) => headers.range !== undefined)).to.equal(true)
    })
  }

  it('the download waits for another input from a server with one connection', async () => {
    const url = await fixture.origin(oneConnection(large, 503))
    await fixture.fetch([`${url}/a.mp4`, `${url}/b.mp4`, `${url}/c.mp4`])
    for (const name of ['in_1.mp4', 'in_2.mp4', 'in_3.mp4']) {
      expect((await fixture.stored(name)).equals(large)).to.equal(true)
    }
  })

  it('an input is of one version where its server changes it beside ranges that are under way', async () => {
    const other = randomBytes(large.length)
    const held: { response: http.ServerResponse; rest: Buffer }[] = []
    let wholes = 0
    const url = await fixture.origin(async ({ headers }, response) => {
      const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
      if (last !== '') {
        const range = `bytes ${first}-${last}/${String(large.length)}`
        response.writeHead(206, { etag: '"v1"', 'content-range': range })
        response.write(large.subarray(Number(first), Number(first) + 1))
        held.push({ response, rest: large.subarray(Number(first) + 1, Number(last) + 1) })
        return
      }
      wholes += 1
      const head = { 'accept-ranges': 'bytes', 'content-length': large.length }
      if (wholes <= 2) {
        response.writeHead(200, { ...head, etag: '"v1"' })
        response.write(large.subarray(0, 100_000), () => response.destroy())
        return
      }
      response.writeHead(200, { ...head, etag: '"v2"' }).write(other.subarray(0, -1))
      // The ranges of the version before come behind nearly all of the new one.
      await until(() => response.writableLength === 0)
      const ranges = held.splice(0)
      for (const range of ranges) range.response.end(range.rest)
      await until(() =>
        ranges.every((one) => one.response.writableFinished || one.response.destroyed),
      )
      response.end(other.subarray(-1))
    })
    await fixture.fetch(`${url}/a.mp4`)
    expect((await fixture.stored('in_1.mp4')).equals(other)).to.equal(true)
  })

  it('the download fails, naming the link, when a link that works once broke off', async () => {
    const url = await fixture.origin(onceOnlyAndBroken(large.subarray(0, 4_000_000), 404))
    const [status, message] = await fixture.refusal(`${url}/a.mp4?token=secret`)
    expect(status).to.equal('UNREACHABLE_INPUT_FILE')
    expect(message).to.match(
      /^in_1: \S+\/a\.mp4 broke off after [\d.]+ MB, and then answered 404 Not Found: the link allows one download; send one that can be opened again$/,
    )
  })

  it('an input comes from a server that wants the headers of a client', async () => {
    const url = await fixture.origin(wantsClientHeaders(text))
    await fixture.fetch(`${url}/a.srt`)
    expect((await fixture.stored('in_1.srt')).equals(text)).to.equal(true)
  })

  for (const encoding of [
    'gzip',
    'x-gzip',
    'GZIP',
    'br',
    'deflate',
    'deflate ',
    'zstd',
    'aws-chunked',
  ]) {
    it(`an input is unpacked from Content-Encoding '${encoding}'`, async () => {
      const url = await fixture.origin(compresses(text, encoding))
      await fixture.fetch(`${url}/a.srt`)
      expect((await fixture.stored('in_1.srt')).equals(text)).to.equal(true)
    })
  }

  it('an input is unpacked up to the size that the plan allows', async () => {
    const url = await fixture.origin(compresses(large, 'gzip'))
    const [status] = await fixture.refusal(`${url}/a.mp4`, { fileBytes: 5_000_000 })
    expect(status).to.equal('INPUT_TOO_LARGE')
  })

  it('an input is not unpacked to 200 times its size', async () => {
    const url = await fixture.origin(compresses(Buffer.alloc(20_000_000), 'gzip'))
    expect((await fixture.refusal(`${url}/a.mp4`))[1]).to.match(
      /sent compressed data that is more than 200 times as large unpacked$/,
    )
  })

  it('the download fails where its compressed data is broken', async () => {
    const url = await fixture.origin((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('not such data'),
    )
    expect((await fixture.refusal(`${url}/a.srt`))[1]).to.match(
      /sent compressed data that is broken$/,
    )
  })

  it('names an encoding that is unknown', async () => {
    const url = await fixture.origin(compresses(text, 'gzip, snappy'))
    expect((await fixture.refusal(`${url}/a.srt`))[1]).to.match(
      /answered with Content-Encoding gzip, snappy$/,
    )
  })

  const locations: [string, Buffer, string][] = [
    ['in UTF-8', Buffer.from('/größe.mp4'), '/gr%C3%B6%C3%9Fe.mp4'],
    ['in Latin-1', Buffer.from('/größe.mp4', 'latin1'), '/gr%F6%DFe.mp4'],
    ['with blanks', Buffer.from(' /my clip.mp4 '), '/my%20clip.mp4'],
    ['that is relative', Buffer.from('b/../clip.mp4?a=1'), '/clip.mp4?a=1'],
    ['with a fragment', Buffer.from('/clip.mp4#t=3'), '/clip.mp4'],
    ['that is encoded already', Buffer.from('/gr%C3%B6%2Fe.mp4'), '/gr%C3%B6%2Fe.mp4'],
  ]
  for (const [name, location, path] of locations) {
    it(`an input comes from a redirect ${name}`, async () => {
      const url = await fixture.origin(redirectsTo(location, text))
      await fixture.fetch(`${url}/start`)
      expect(fixture.requests.map((request) => request.url)).to.deep.equal(['/start', path])
    })
  }

  const heads: [string, string][] = [
    [
      'whose lines end in LF',
      'HTTP/1.1 200 OK\nContent-Type: image/jpeg\nContent-Length: 4\n\nabcd',
    ],
    ['without blanks behind its colons', 'HTTP/1.1 200 OK\r\nContent-Length:4\r\n\r\nabcd'],
    ['with blanks before its colons', 'HTTP/1.1 200 OK\r\nContent-Length : 4\r\n\r\nabcd'],
    ['of HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\nServer: camera\r\n\r\nabcd'],
    ['of HTTP/1.0 without a length, in LF', 'HTTP/1.0 200 OK\nServer: camera\n\nabcd'],
    [
      'behind an interim answer',
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd',
    ],
    [
      'with trailers',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n4\r\nabcd\r\n0\r\nX: 1\r\n\r\n',
    ],
    ['without a reason', 'HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nabcd'],
    ['with a folded line', 'HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nContent-Length: 4\r\n\r\nabcd'],
    [
      'with 40 KiB of headers',
      `HTTP/1.1 200 OK\r\n${'X-Policy: self\r\n'.repeat(2_500)}Content-Length: 4\r\n\r\nabcd`,
    ],
  ]
  for (const [name, answer] of heads) {
    it(`an input is read from an answer ${name}`, async () => {
      const url = await fixture.raw(answer)
      await fixture.fetch(`${url}/a.jpg`)
      expect((await fixture.stored('in_1.jpg')).toString()).to.equal('abcd')
    })
  }
})
