import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import packageFile from '../../package.json' with { type: 'json' }
import { startTestApp } from '../../testing/support/api/app.ts'
import { bundleConsole } from '../../images/console-bundle.ts'
import { builtDocs } from '../../images/docs-bundle.ts'
import { useResource } from '../../testing/support/mocha.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import { field } from '../checked-call.fixture.ts'

/** The Accept header of Chromium for a typed address. */
const browser =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

describe('the page at /', () => {
  const app = useResource(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'landing-'))
    await bundleConsole(path.join(folder, 'static'))
    const console = {
      folder: path.join(folder, 'static'),
      storageOrigins: [],
      registration: false,
      selfServiceKeys: false,
      keyHelp: 'Ask in the room of the platform team.',
    }
    const started = await startTestApp({ console, docsFolder: await builtDocs() })
    await rm(folder, { recursive: true })
    return started
  })

  const page = (url: string) => fetch(url, { headers: { Accept: browser } })
  const linksOf = (text: string) =>
    Array.from(text.matchAll(/href="([^"]+)"/g), ([, link = '']) => link)

  for (const from of ['/', '/api', '/api/']) {
    it(`shows a browser seven links that work from ${from}`, async () => {
      const answer = await page(app.url + from)
      expect(answer.status).to.equal(200)
      expect(answer.headers.get('content-type')).to.match(/^text\/html/)
      const links = linksOf(await answer.text())
      expect(links).to.have.length(7)
      for (const link of links) {
        expect(link, 'a relative link')
          .to.match(/^[\w./#-]+$/)
          .and.not.match(/^\//)
        const target = await fetch(new URL(link, answer.url))
        expect(target.status, link).to.equal(200)
        expect(new URL(target.url).pathname).to.equal(
          `${from.replace(/\/$/, '')}/${link.replace(/^api\/|#.*$/g, '')}`,
        )
      }
    })
  }

  for (const [who, accept] of [
    ['that prefers JSON', 'application/json'],
    ['that takes anything', '*/*'],
    ['that accepts neither', 'image/png'],
  ] as const) {
    it(`answers a program ${who} with JSON`, async () => {
      const { status, body } = await app.call('/', { key: null, headers: { Accept: accept } })
      expect(status).to.equal(200)
      expect(body).to.deep.equal({
        name: 'cloud-ffmpeg',
        version: packageFile.version,
        docs: 'docs',
        openapi: 'openapi.json',
        console: 'console',
      })
    })
  }

  it('names no console where it is disabled', async () => {
    const without = await startTestApp({ console: null }, app)
    const { body } = await without.call('/', { key: null })
    expect(field(body, 'console')).to.equal(null)
    expect(linksOf(await (await page(without.url)).text())).to.have.length(6)
    await without.close()
  })

  it('gives programs addresses that resolve below /api too', async () => {
    for (const below of ['/api', '/api/']) {
      const answer = await fetch(app.url + below)
      const body: unknown = await answer.json()
      const openapi = new URL(String(field(body, 'openapi')), answer.url)
      expect(openapi.pathname).to.equal('/api/openapi.json')
      expect((await fetch(openapi)).status).to.equal(200)
    }
  })

  it('the page at / works behind a proxy that strips a path of its own', async () => {
    const prefix = '/media/ffmpeg'
    const proxy = createServer((request, response) => {
      const inner = (request.url ?? '').slice(prefix.length) || '/'
      fetch(app.url + inner, { headers: { Accept: request.headers.accept ?? '' } }).then(
        async (answer) => {
          const headers = { 'content-type': answer.headers.get('content-type') ?? '' }
          response.writeHead(answer.status, headers).end(await answer.text())
        },
        () => response.writeHead(502).end(),
      )
    })
    const listening = await listenAt('127.0.0.1', proxy)
    const url = `${listening.url}${prefix}/`
    try {
      const links = linksOf(await (await page(url)).text())
      expect(links).to.have.length(7)
      for (const link of links) {
        const target = new URL(link, url)
        expect(target.pathname.startsWith(`${prefix}/`), link).to.equal(true)
        expect((await fetch(target)).status, link).to.equal(200)
      }
    } finally {
      await listening.close()
    }
  })

  it('loads nothing, and runs only what its policy names', async () => {
    const answer = await page(app.url)
    expect(answer.headers.get('content-security-policy')).to.match(
      /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(answer.headers.get('vary')).to.match(/Accept/)
    expect(await answer.text()).not.to.match(/(?:https?:)?\/\/|src=|onload/)
  })

  it('answers 405 to other methods than GET and HEAD', async () => {
    const wrong = await fetch(app.url, { method: 'POST' })
    expect([wrong.status, wrong.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
    expect((await fetch(app.url, { method: 'HEAD' })).status).to.equal(200)
  })

  it('answers before the database is ready', async () => {
    const early = await startTestApp({ readiness: { state: 'starting' } })
    expect((await early.call('/', { key: null })).status).to.equal(200)
    await early.close()
  })
})
