import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { builtDocs, writeDocs } from '../../images/docs-bundle.ts'
import { useResource } from '../../testing/support/mocha.ts'
import { startTestApp } from '../../testing/support/api/app.ts'

describe('the pages below /docs', () => {
  const app = useResource(async () => startTestApp({ docsFolder: await builtDocs() }))

  const linksIn = (text: string) =>
    Array.from(
      text.matchAll(/<(?:a|link|script)[^>]* (?:href|src)="([^"]*)"/g),
      ([, link = '']) => link,
    ).filter((link) => !link.startsWith('data:') && !link.startsWith('#'))

  for (const base of ['', '/api']) {
    it(`link only to what exists, relative to themselves, below '${base}/'`, async () => {
      const seen = new Set<string>()
      const waiting = [`${app.url}${base}/docs`]
      for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
        if (seen.has(url)) continue
        seen.add(url)
        const answer = await fetch(url)
        expect(answer.status, url).to.equal(200)
        const text = await answer.text()
        const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true
        if (!isPage || !new URL(answer.url).pathname.startsWith(`${base}/docs`)) continue
        for (const link of linksIn(text)) {
          if (/^(?:https?:|mailto:)/.test(link)) continue
          expect(link, url).not.to.match(/^\//)
          const target = new URL(link, answer.url)
          expect(target.pathname, `${link} in ${url}`).to.match(new RegExp(`^${base}/`))
          target.hash = ''
          if (!target.pathname.includes('/console')) waiting.push(target.href)
        }
      }
      for (const name of ['guides/recipes', 'guides/chart', 'guides/decisions/', 'api']) {
        expect([...seen]).to.include(`${app.url}${base}/docs/${name}`)
      }
    })
  }

  it('pages of the docs have a policy without inline scripts but those that it names by their hash', async () => {
    const guide = await fetch(`${app.url}/docs/guides/recipes`)
    const policy = guide.headers.get('content-security-policy')
    expect(policy)
      .to.match(
        /^default-src 'none'; script-src 'self'( 'sha256-[^ ]+')+; style-src 'self'( 'sha256-[^ ]+')+; /,
      )
      .and.to.contain(
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ",
      )
      .and.to.contain("require-trusted-types-for 'script'; trusted-types vue")
    const reference = await fetch(`${app.url}/docs/api`)
    expect(reference.headers.get('content-security-policy'))
      .to.match(
        /^default-src 'none'; script-src 'self'( 'sha256-[^ ]+')+; style-src 'self' 'sha256-/,
      )
      .and.not.to.contain('trusted-types')
  })

  it('the pages below /docs show placeholders of commands as they are written', async () => {
    const guide = await fetch(`${app.url}/docs/guides/getting-started`)
    expect(await guide.text()).to.contain('<code>{{out_1}}</code>')
  })

  it('pages of the docs are sent compressed, assets for good and pages until they change', async () => {
    const page = await fetch(`${app.url}/docs/guides/recipes`)
    expect(page.headers.get('content-encoding')).to.equal('gzip')
    expect(page.headers.get('cache-control')).to.equal('no-cache')
    expect(page.headers.get('vary')).to.contain('Accept-Encoding')
    const [script = ''] = linksIn(await page.text()).filter((link) => link.endsWith('.js'))
    const asset = await fetch(new URL(script, page.url), {
      headers: { 'Accept-Encoding': 'identity' },
    })
    expect(asset.headers.get('content-encoding')).to.equal(null)
    expect(asset.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
  })

  it('pages of the docs are found by their name alone, and with or without a slash', async () => {
    for (const [asked, found] of [
      ['/docs', '/docs/'],
      ['/docs/recipes', '/docs/guides/recipes'],
      ['/docs/recipes/', '/docs/guides/recipes'],
      ['/docs/guides/recipes/', '/docs/guides/recipes'],
      ['/docs/api/', '/docs/api'],
      ['/docs/guides/decisions', '/docs/guides/decisions/'],
    ]) {
      const { status, url } = await fetch(`${app.url}/api${asked}`)
      expect([status, new URL(url).pathname], asked).to.deep.equal([200, `/api${found}`])
    }
    const { headers } = await fetch(`${app.url}/docs/console`, { redirect: 'manual' })
    expect(headers.get('location')).to.equal('../console')
  })

  it('pages of the docs are the only files of the folder', async () => {
    for (const name of [
      'manifest.json',
      'none',
      'assets/none.js',
      'guides/none',
      'assets/..%2fmanifest.json',
      'hashmap.json',
      'guides/%2e%2e%2findex',
      'guides/style',
    ]) {
      expect((await fetch(`${app.url}/docs/${name}`)).status, name).to.equal(404)
    }
  })

  it('the pages below /docs answer 405 to other methods than GET and HEAD', async () => {
    const health = ['/livez', '/readyz', '/api/readyz']
    for (const below of ['/docs/', '/docs/api', '/api/docs/api', '/openapi.json', ...health]) {
      const wrong = await fetch(app.url + below, { method: 'POST' })
      expect([wrong.status, wrong.headers.get('allow')], below).to.deep.equal([405, 'GET, HEAD'])
      expect((await fetch(app.url + below, { method: 'HEAD' })).status, below).to.equal(200)
    }
  })

  it('the pages below /docs answer 503 with the command to run while they are not built', async () => {
    const unbuilt = await startTestApp({ docsFolder: path.join(tmpdir(), 'not-built') }, app)
    for (const below of ['', 'api', 'guides/recipes', 'assets/x.js']) {
      const answer = await fetch(`${unbuilt.url}/docs/${below}`)
      expect([answer.status, await answer.json()], below).to.deep.equal([
        503,
        problemBody(503, 'The documentation is not built: run `npm run build-console`'),
      ])
    }
    expect((await fetch(`${unbuilt.url}/openapi.json`)).status).to.equal(200)
    await unbuilt.close()
  })

  it('the docs are built to the same bytes from the same sources', async () => {
    const first = await builtDocs()
    const again = await mkdtemp(path.join(tmpdir(), 'docs-'))
    await writeDocs(again)
    const entries = await readdir(first, { recursive: true, withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(first, path.join(entry.parentPath, entry.name)))
    expect(names.length).to.be.greaterThan(50)
    for (const name of names) {
      const bytes = await readFile(path.join(first, name))
      expect(bytes.equals(await readFile(path.join(again, name))), name).to.equal(true)
    }
    await rm(again, { recursive: true })
  })
})
