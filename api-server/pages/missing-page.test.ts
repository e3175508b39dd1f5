import { expect } from 'chai'
import { builtDocs } from '../../images/docs-bundle.ts'
import { startTestApp } from '../../testing/support/api/app.ts'
import { useResource } from '../../testing/support/mocha.ts'

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('an unknown page', () => {
  const app = useResource(async () => startTestApp({ docsFolder: await builtDocs() }))

  for (const path of [
    '/nope',
    '/docs/nope',
    '/docs/guides/nope/',
    '/api/docs/guides/nope',
    '/a/b',
  ]) {
    it(`answers a browser at ${path} with HTML, status 404 and links that work`, async () => {
      const answer = await fetch(app.url + path, { headers: browser })
      expect(answer.status).to.equal(404)
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8')
      expect(answer.headers.get('vary')).to.contain('Accept')
      expect(answer.headers.get('content-security-policy')).to.match(/^default-src 'none'; /)
      const text = await answer.text()
      const links = Array.from(text.matchAll(/<a href="([^"]*)"/g), ([, link = '']) => link)
      expect(links).to.have.length(3)
      for (const link of links) {
        const target = await fetch(new URL(link, answer.url), { headers: browser })
        expect(target.status, link).to.equal(200)
      }
    })
  }

  it('answers a program, and each call below /v1, with JSON and the reason', async () => {
    for (const [path, accept] of [
      ['/nope', '*/*'],
      ['/docs/nope', 'application/json'],
      ['/v1/nope', browser.Accept],
    ] as const) {
      const answer = await fetch(app.url + path, { headers: { Accept: accept } })
      expect(answer.status, path).to.equal(404)
      const { detail } = (await answer.json()) as { readonly detail: string }
      expect(detail, path).to.be.a('string').and.not.equal('')
    }
  })
})
