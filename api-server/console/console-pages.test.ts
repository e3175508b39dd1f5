import { createHash } from 'node:crypto'
import { gunzipSync, brotliDecompressSync } from 'node:zlib'
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { once } from 'node:events'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { bundleConsole } from '../../images/console-bundle.ts'
import { startTestApp } from '../../testing/support/api/app.ts'
import { useScratch } from '../../testing/support/scratch.ts'
import { openerPolicy, originsOf, pageHeaders } from './page-headers.ts'
import type { IncomingMessage } from 'node:http'
import type { TestApp } from '../../testing/support/api/app.ts'

/** KiB compressed by gzip: of the first load, planned and the most, and of everything but the player of HLS. */
const budget = { planned: 60, most: 150, whole: 300 }

describe('the pages of the console', () => {
  const at = useScratch()
  let app: TestApp
  beforeEach(async () => {
    await bundleConsole(at('static'))
    const console = {
      folder: at('static'),
      storageOrigins: ['https://media.example'],
      registration: true,
      selfServiceKeys: false,
      keyHelp: 'Ask in the room of the platform team.',
    }
    app = await startTestApp({ console })
  })
  afterEach(() => app.close())

  async function get(url: string, headers: Record<string, string> = {}) {
    const sent = request(new URL(url, app.url), { headers })
    sent.end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
  }
  const assetsIn = (html: string) =>
    Array.from(html.matchAll(/(?:src|href)="([^"]*assets[^"]*)"/g), ([, link = '']) => link)

  it('links its assets relative to each page, below /api too', async () => {
    for (const base of ['', '/api']) {
      for (const page of [
        '/console',
        '/console/',
        '/console/commands',
        '/console/commands/7',
        '/console/commands/console',
      ]) {
        const { status, headers, body } = await get(base + page)
        expect(status, page).to.equal(200)
        expect(headers['cache-control']).to.equal('no-cache')
        expect(headers.etag).to.be.a('string')
        const links = assetsIn(body.toString())
        expect(links.length, page).to.be.at.least(2)
        for (const link of links) {
          const { pathname } = new URL(link, new URL(base + page, app.url))
          expect(pathname).to.match(new RegExp(`^${base}/console/assets/`))
          expect((await get(pathname)).status, `${page} ${link}`).to.equal(200)
        }
      }
    }
  })

  it('serves assets in the coding that the browser accepts, for good', async () => {
    const [script = ''] = assetsIn((await get('/console/')).body.toString()).filter((link) =>
      link.endsWith('.js'),
    )
    const address = new URL(script, `${app.url}/console/`).pathname
    const plain = await get(address)
    expect(plain.headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const gzip = await get(address, { 'Accept-Encoding': 'gzip' })
    const brotli = await get(address, { 'Accept-Encoding': 'gzip, deflate, br' })
    expect([gzip.headers['content-encoding'], brotli.headers['content-encoding']]).to.deep.equal([
      'gzip',
      'br',
    ])
    expect(brotli.headers.vary).to.contain('Accept-Encoding')
    expect(hash(gunzipSync(gzip.body))).to.equal(hash(plain.body))
    expect(hash(brotliDecompressSync(brotli.body))).to.equal(hash(plain.body))
    for (const [accepted, coding] of [
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['gzip;q=0', undefined],
      ['br;q=1.0', 'br'],
      ['brotli', undefined],
    ] as const) {
      const { headers } = await get(address, { 'Accept-Encoding': accepted })
      expect(headers['content-encoding'], accepted).to.equal(coding)
    }
    expect((await get('/console/assets/none.js')).status).to.equal(404)
    expect((await get('/console/assets/manifest.json')).status).to.equal(404)
  })

  it(`loads at most ${budget.planned} KB at first`, async () => {
    const page = await get('/console/', { 'Accept-Encoding': 'gzip' })
    const links = assetsIn(page.body.toString())
    const loads = await Promise.all(
      links.map((link) =>
        get(new URL(link, `${app.url}/console/`).pathname, { 'Accept-Encoding': 'gzip' }),
      ),
    )
    // A chunk that the page does not name would count too.
    const named = new Set(links.map((link) => link.split('/').at(-1)))
    for (const { body } of loads) {
      const source = gunzipSync(body).toString()
      for (const [, chunk] of source.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) {
        expect([...named], 'files that the page names').to.include(chunk)
      }
    }
    const bytes = [page, ...loads].reduce((sum, { body }) => sum + body.length, 0)
    expect(bytes / 1_024)
      .to.be.lessThan(budget.most)
      .and.lessThan(budget.planned)
  })

  it('holds the player of HLS in a file of its own, and little else', async () => {
    const names = (await readdir(at('static'))).filter((name) => name.endsWith('.gz'))
    const players = names.filter((name) => name.startsWith('hls-library-'))
    expect(players).to.have.length(1)
    const others = names.filter((name) => !players.includes(name))
    const sizes = await Promise.all(
      others.map(async (name) => (await stat(at('static', name))).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0) / 1_024).to.be.lessThan(budget.whole)
  })

  it('console pages have a policy without inline scripts, other origins and markup from text', async () => {
    const { headers } = await get('/console')
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob: https://media.example; " +
        "media-src 'self' blob: https://media.example; connect-src 'self' https://media.example; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    expect(headers).to.include({
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(pageHeaders([])['Content-Security-Policy']).to.contain("connect-src 'self';")
  })

  it('console pages have no feature of the browser but the full screen and the clipboard', async () => {
    const { headers } = await get('/console/')
    const policy = String(headers['permissions-policy']).split(', ')
    const [used, refused] = [true, false].map((isUsed) =>
      policy.filter((one) => one.endsWith('=(self)') === isUsed),
    )
    expect(used).to.have.members(['fullscreen=(self)', 'clipboard-write=(self)'])
    expect(refused).to.include.members(['camera=()', 'microphone=()', 'geolocation=()'])
    for (const one of refused ?? []) expect(one).to.match(/^[a-z-]+=\(\)$/)
  })

  it('says what it needs to know of the service', async () => {
    const { body } = await get('/console/config.json')
    expect(JSON.parse(body.toString())).to.deep.equal({
      version: packageFile.version,
      storage_origins: ['https://media.example'],
      registration: true,
      self_service_keys: false,
      key_help: 'Ask in the room of the platform team.',
    })
  })

  it('answers 503 with the command to run while it is not built, and 405 to other methods', async () => {
    await mkdir(at('empty'))
    const console = {
      folder: at('empty'),
      storageOrigins: [],
      registration: false,
      selfServiceKeys: false,
      keyHelp: 'Ask in the room of the platform team.',
    }
    const unbuilt = await startTestApp({ console }, app)
    const answer = await fetch(`${unbuilt.url}/console`)
    expect([answer.status, await answer.json()]).to.deep.equal([
      503,
      problemBody(503, 'The console is not built: run `npm run build-console`'),
    ])
    await unbuilt.close()
    const posted = await app.call('/console', { key: null, method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
  })

  it('the console does not exist where it is disabled', async () => {
    const without = await startTestApp({ console: null }, app)
    expect((await without.call('/console', { key: null })).status).to.equal(404)
    await without.close()
  })

  it('the console is built to the same bytes from the same sources', async () => {
    await bundleConsole(at('again'))
    await writeFile(path.join(at('again'), 'proof'), '')
    await bundleConsole(at('again'))
    for (const folder of ['static', 'again']) {
      const other = await startTestApp(
        {
          console: {
            folder: at(folder),
            storageOrigins: [],
            registration: false,
            selfServiceKeys: false,
            keyHelp: 'Ask in the room of the platform team.',
          },
        },
        app,
      )
      const page = await fetch(`${other.url}/console`)
      expect(assetsIn(await page.text())).to.deep.equal(
        assetsIn((await get('/console')).body.toString()),
      )
      await other.close()
    }
  })
})

describe('openerPolicy', () => {
  it('the opener policy is sent where browsers obey it: over https, and by this host', () => {
    const policy = { 'Cross-Origin-Opener-Policy': 'same-origin' }
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:80', '[::1]:8080']) {
      expect(openerPolicy({ host }), host).to.deep.equal(policy)
    }
    for (const host of ['ffmpeg.example', '10.0.0.7:8080', 'localhost.example', undefined]) {
      expect(openerPolicy(host === undefined ? {} : { host }), String(host)).to.deep.equal({})
    }
    const host = 'ffmpeg.example'
    expect(openerPolicy({ host, 'x-forwarded-proto': 'https, http' })).to.deep.equal(policy)
    expect(openerPolicy({ host, 'x-forwarded-proto': 'http' })).to.deep.equal({})
  })
})

describe('originsOf', () => {
  it('names each origin once', () => {
    const urls = [
      'https://a.example/x',
      null,
      'https://a.example/y',
      'http://b.example:9000',
      undefined,
      'none',
    ]
    expect(originsOf(urls)).to.deep.equal(['https://a.example', 'http://b.example:9000'])
  })
})

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
