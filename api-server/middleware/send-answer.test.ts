import { expect } from 'chai'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { runPath, submission, useApp } from '../../testing/support/api/app.ts'
import { checkedCall, refusalOf } from '../checked-call.fixture.ts'

describe('answers', () => {
  const app = useApp()

  it('answers have an ETag, by which a client gets 304 while a list stays the same', async () => {
    const list = await app.call('/v1/commands')
    const etag = list.headers.get('etag') ?? ''
    expect(etag).to.match(/^"[\w-]+"$/)
    // fetch adds `no-cache` to a conditional request that has no Cache-Control.
    const headers = {
      'X-API-KEY': app.key,
      'If-None-Match': etag,
      'Cache-Control': 'max-age=0',
    }
    const again = await fetch(`${app.url}/v1/commands`, { headers })
    expect([again.status, again.headers.get('etag'), await again.text()]).to.deep.equal([
      304,
      etag,
      '',
    ])
    await app.submit()
    expect((await fetch(`${app.url}/v1/commands`, { headers })).status).to.equal(200)
  })

  it('answers HEAD with the length of the body that GET gets', async () => {
    const get = await fetch(`${app.url}/openapi.json`)
    const length = Buffer.byteLength(await get.text())
    const head = await fetch(`${app.url}/openapi.json`, { method: 'HEAD' })
    expect([head.headers.get('content-length'), await head.text()]).to.deep.equal([`${length}`, ''])
  })

  it('answers are the same when a proxy sends the whole URL', async () => {
    const { hostname, port } = new URL(app.url)
    const status = await new Promise<string>((resolve, reject) => {
      request({ hostname, port, path: `${app.url}/livez?at=now` }, (response) => {
        text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject)
      })
        .on('error', reject)
        .end()
    })
    expect(status).to.equal('200 {"status":"ok"}\n')
  })

  it('answers find a path in another letter case and with a slash at its end', async () => {
    const answer = await fetch(`${app.url}/V1/Commands/`, { headers: { 'X-API-KEY': app.key } })
    expect([answer.status, await answer.json()]).to.deep.equal([
      200,
      await app.list('/v1/commands'),
    ])
  })
})

describe('bodies', () => {
  const app = useApp()

  const post = (encoding: string, body: Uint8Array) =>
    checkedCall(app.url, runPath, {
      method: 'POST',
      key: app.key,
      body,
      headers: { 'Content-Encoding': encoding },
    })

  it('bodies are refused when their encoding is unknown or not what the header says', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(submission))
    for (const encoding of ['zstd', 'gzip', 'br']) {
      expect(refusalOf(await post(encoding, bytes)), encoding).to.deep.equal([
        422,
        'body json_invalid',
      ])
    }
    expect((await post('gzip', gzipSync(bytes))).status).to.equal(200)
  })
})
