import { useApp } from '../app.fixture.ts'
import { expect } from 'chai'

describe('the docs page', () => {
  const app = useApp()

  for (const base of ['', '/api']) {
    it(`is complete without a key below '${base}/'`, async () => {
      const page = await fetch(`${app.url}${base}/docs`)
      expect(page.headers.get('content-type')).to.match(/^text\/html/)
      const text = await page.text()
      const links = Array.from(text.matchAll(/(?:href|src)="([^"]+)"/g), (match) => match[1] ?? '')
      expect(links).to.have.length(5)
      for (const link of links) {
        const found = await fetch(new URL(link, page.url))
        expect(found.status, link).to.equal(200)
        expect((await found.text()).length, link).to.be.greaterThan(100)
      }
    })
  }

  it('loads nothing from anywhere else', async () => {
    const page = await fetch(`${app.url}/docs`)
    expect(page.headers.get('content-security-policy')).to.match(
      /default-src 'none'; script-src 'self';/,
    )
    expect(await page.text()).not.to.match(/(?:https?:)?\/\/|<style|onload|<script>/)
  })

  it('is found with a trailing slash too', async () => {
    const page = await fetch(`${app.url}/api/docs/`)
    expect([page.status, new URL(page.url).pathname]).to.deep.equal([200, '/api/docs'])
  })

  it('answers 405 to other methods than GET and HEAD', async () => {
    const health = ['/livez', '/readyz', '/api/readyz']
    for (const path of ['/docs', '/api/docs', '/openapi.json', ...health]) {
      const wrong = await fetch(app.url + path, { method: 'POST' })
      expect([wrong.status, wrong.headers.get('allow')], path).to.deep.equal([405, 'GET, HEAD'])
      expect((await fetch(app.url + path, { method: 'HEAD' })).status, path).to.equal(200)
    }
  })

  it('serves no other file of the package', async () => {
    const others = ['swagger-initializer.js', 'package.json', '..%2fpackage.json', '%2e%2e/x']
    for (const name of others) {
      expect((await fetch(`${app.url}/docs/${name}`)).status, name).to.equal(404)
    }
  })
})
