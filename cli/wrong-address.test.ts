import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect } from 'chai'
import { listenAt } from '../testing/support/http-server.ts'
import { cli } from './cli.fixture.ts'
import { createClient } from './client/client.ts'
import { addressProblem } from './client/send.ts'

const page = `<!DOCTYPE html><html><title>Welcome</title>${'<p>text</p>'.repeat(200)}</html>`

const id = '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01'

describe('an address that is not that of the service', () => {
  for (const [text, advice] of [
    ['localhost:8080', 'write http://localhost:8080, or https in place of http'],
    ['media.example.com', 'write http://media.example.com, or https in place of http'],
    ['http://localhost:99999', 'with a port of 1 to 65535'],
    ['http://', 'write https://HOST'],
    ['ftp://media.example.com', 'write https://HOST'],
    ['not an address', 'write https://HOST'],
    ['http://localhost:8080/v1', 'drop /v1 and write http://localhost:8080'],
    ['https://media.example.com/ffmpeg/v1/', 'drop /v1 and write https://media.example.com/ffmpeg'],
  ] as const) {
    it(`a wrong address is named with the remedy: ${text}`, () => {
      expect(addressProblem(text))
        .to.match(/^'.*' (?:is not the address of a service|ends in \/v1)/)
        .and.to.contain(advice)
      expect(() => createClient({ url: text })).to.throw(advice)
    })
  }

  for (const text of [
    'http://localhost:8080',
    'https://media.example.com/ffmpeg/',
    'HTTP://[::1]',
  ]) {
    it(`accepts ${text} as the address of a service`, () => {
      expect(addressProblem(text)).to.equal(null)
    })
  }

  it('a wrong address is reported when nothing listens on its port', async () => {
    const { url, close } = await serve(() => undefined)
    await close()
    const { code, err } = await call(url, 'usage')
    expect(code).to.equal(3)
    expect(err).to.equal(
      `cloud-ffmpeg: no answer from ${url}: nothing listens there; is the service running, and is this its port? (ECONNREFUSED) (${url} is from CLOUD_FFMPEG_URL)\n`,
    )
  })

  it('a wrong address is reported when web clients do not open its port', async () => {
    const { err } = await call('http://127.0.0.1:6000', 'usage')
    expect(err).to.contain('no answer from http://127.0.0.1:6000: web clients open no connection')
  })

  for (const status of [200, 404, 500]) {
    it(`an address is reported when it answers ${String(status)} with a web page, which is not printed`, async () => {
      const { url, close } = await serve((_, response) => {
        response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page)
      })
      try {
        for (const args of [['usage'], ['status', id], ['logs', id], ['logs', '-f', id]]) {
          const { code, out, err } = await call(url, ...args)
          expect([code, out], args.join(' ')).to.deep.equal([1, ''])
          expect(err, args.join(' ')).to.match(
            /^cloud-ffmpeg: http:\S+ answers .*with a web page, not the API/,
          )
          // A proxy answers 500 and above for a service that is away.
          expect(err.includes('; is a path prefix missing?')).to.equal(status < 500)
          expect(err).not.to.contain('<')
        }
      } finally {
        await close()
      }
    })
  }

  function call(url: string, ...args: string[]) {
    return cli(args, { url, key: 'a-key', folder: '/none' })
  }
})

function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  return listenAt('127.0.0.1', createServer(answer))
}
