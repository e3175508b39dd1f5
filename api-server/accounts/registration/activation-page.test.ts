import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { linkIn, useRegistrationApp } from './registration.fixture.ts'

describe('the activation page', () => {
  const app = useRegistrationApp()

  const linkFor = async (email: string) => {
    await app.register({ email })
    return linkIn(await app.smtp.mailTo(email))
  }

  for (const prefix of ['', '/api']) {
    it(`shows the key of the mail's link once, below ${prefix || '/'}`, async () => {
      const link = await linkFor(`page${prefix.slice(1)}@example.com`)
      const opened = await open(new URL(`${prefix}${link.pathname}${link.search}`, link))
      expect(opened.text('key')).to.equal('')
      await opened.submit()
      expect(opened.text('problem')).to.equal('')
      expect(opened.element('result').hidden).to.equal(false)
      expect(opened.address()).to.equal(`${prefix}/activate`)
      const key = opened.text('key')
      expect((await app.call('/v1/commands', { key })).status).to.equal(200)
    })
  }

  it('shows what is wrong with a token', async () => {
    const opened = await open(new URL(`${app.url}/activate?token=unknown`))
    await opened.submit()
    expect(opened.text('problem')).to.match(/^The token is unknown, used or older/)
    const empty = await open(new URL(`${app.url}/activate`))
    await empty.submit()
    expect(empty.text('problem')).to.equal('The token is not valid.')
  })

  it('the activation page does not use up the token when a mail scanner opens it', async () => {
    const link = await linkFor('scanned@example.com')
    for (let n = 1; n <= 3; n++) expect((await fetch(link)).status).to.equal(200)
    const answer = await app.activate(link.searchParams.get('token') ?? '')
    expect(answer.status).to.equal(200)
  })

  it('loads nothing, runs its own script alone and sends no Referer', async () => {
    const response = await fetch(`${app.url}/activate?token="><script>alert(1)</script>`)
    const html = await response.text()
    expect(html).not.to.contain('alert(1)')
    expect(html).not.to.match(/\b(src|href|on\w+)=/)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'")
    expect(policy).to.contain(`script-src 'sha256-${hash(inside(html, 'script'))}'`)
    expect(policy).to.contain(`style-src 'sha256-${hash(inside(html, 'style'))}'`)
    expect(response.headers.get('referrer-policy')).to.equal('no-referrer')
    expect(response.headers.get('cache-control')).to.equal('no-store')
  })
})

interface Element {
  textContent: string
  value: string
  hidden: boolean
}

/** Runs the page's script as a browser would, over the elements that the page really has. */
async function open(url: URL) {
  const html = await (await fetch(url)).text()
  const listeners = new Map<string, (event: object) => Promise<void>>()
  const button = { disabled: false }
  const elements = new Map(
    [...html.matchAll(/<(\w+)[^>]*? id="(\w+)"([^>]*)/g)].map(([, , id = '', rest = '']) => [
      id,
      {
        textContent: '',
        value: '',
        hidden: rest.includes('hidden'),
        focus: () => undefined,
        querySelector: () => button,
        addEventListener: (type: string, listener: (event: object) => Promise<void>) =>
          listeners.set(`${id} ${type}`, listener),
      },
    ]),
  )
  let address = url.pathname + url.search
  runInNewContext(inside(html, 'script'), {
    document: { getElementById: (id: string) => elements.get(id) },
    location: { pathname: url.pathname, search: url.search },
    history: { replaceState: (_state: unknown, _title: string, to: string) => (address = to) },
    navigator: {},
    URLSearchParams,
    fetch: (path: string, init: RequestInit) => fetch(new URL(path, url), init),
  })
  const element = (id: string): Element => {
    const found = elements.get(id)
    if (found === undefined) throw new Error(`no element ${id}`)
    return found
  }
  return {
    element,
    text: (id: string) => element(id).textContent,
    address: () => address,
    submit: () => listeners.get('form submit')?.({ preventDefault: () => undefined }),
  }
}

function inside(html: string, tag: string): string {
  return html.split(`<${tag}>`)[1]?.split(`</${tag}>`)[0] ?? ''
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
