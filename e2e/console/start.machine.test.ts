import { expect } from 'chai'
import { useConsole } from './console.fixture.ts'
import type { Page } from 'playwright-core'

const config = /\/console\/config\.json$/

describe('the start of the console', () => {
  const at = useConsole()
  const keyField = () => at.page.getByLabel('Paste an API key')

  it('says that the service gives no settings, and begins once it does', async () => {
    await at.page.route(config, (route) => route.fulfill({ status: 503, body: 'away' }))
    await at.page.goto(`${at.app.url}/console`)
    await at.page.getByRole('heading', { name: 'The console cannot start' }).waitFor()
    await at.page.getByText('The service answered with status 503.').waitFor()
    await at.look('no-start', ['phone', 'desktop'])
    await at.page.unroute(config)
    await at.page.getByRole('button', { name: 'Try again' }).click()
    await keyField().waitFor()
    // Chromium reports each answer of 503 as an error.
    expect(at.browser.errors.splice(0)).to.have.length(1)
    at.expectSilence()
  })

  it('says how to get a key, in the words of the installation', async () => {
    await at.page.getByText('Ask in the room of the platform team.').waitFor()
    const guide = at.page.getByRole('link', { name: 'How do I get a key?' })
    const address = (await guide.getAttribute('href')) ?? ''
    const answer = await fetch(address)
    expect(await answer.text()).to.contain(`id="${new URL(address).hash.slice(1)}"`)
    await at.look('key-help', ['phone', 'desktop'])
  })

  it('names each page in the title of its tab', async () => {
    expect(await at.page.title()).to.equal('Sign in · Cloud FFmpeg')
    const id = await at.app.submit()
    await at.open(`commands/${id}`)
    await at.page.getByRole('heading', { name: 'Queued' }).waitFor()
    expect(await at.page.title()).to.equal('Queued · small.mp4 · Cloud FFmpeg')
    for (const name of [
      'Usage',
      'Keys',
      'Settings',
      'Webhooks',
      'Files',
      'Playground',
      'Commands',
    ]) {
      await at.page
        .getByRole('navigation', { name: 'Console' })
        .getByRole('link', { name, exact: true })
        .click()
      await at.page.getByRole('heading', { name, exact: true, level: 1 }).waitFor()
      expect(await at.page.title()).to.equal(`${name} · Cloud FFmpeg`)
    }
    at.expectSilence()
  })
})

describe('the console where stored files have its origin', () => {
  const at = useConsole()
  const channel = "new BroadcastChannel('cloud-ffmpeg /console/')"

  const shareOrigin = (page: Page) =>
    page.route(config, (route) => {
      const origins = { storage_origins: [new URL(at.app.url).origin] }
      return route.fulfill({ json: { version: '1', registration: false, ...origins } })
    })
  before(() => shareOrigin(at.page))

  it('stores nothing and says so', async () => {
    await at.page.goto(`${at.app.url}/console`)
    await at.page.getByText('The key stays in the memory of this tab').waitFor()
    await at.page.getByLabel('Paste an API key').fill(at.app.key)
    await at.page.getByRole('button', { name: 'Sign in' }).click()
    await at.page.getByRole('heading', { name: 'Commands' }).waitFor()
    await at.page.getByRole('link', { name: 'Playground' }).click()
    await at.page.getByRole('heading', { name: 'Playground' }).waitFor()
    const stored = await at.page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    )
    expect(stored).to.equal('[{},{}]')
    at.expectSilence()
  })

  it('gives no key to another page of the origin, and takes none from it', async () => {
    const other = await at.page.context().newPage()
    await other.goto(at.app.url)
    // The console's own listener is the older one, so its answer would come before this one.
    await at.page.evaluate(`{
      const heard = ${channel}
      heard.onmessage = ({ data }) => data.kind === 'asked' && heard.postMessage({ kind: 'end' })
    }`)
    const kinds = await other.evaluate(`new Promise((resolve) => {
      const kinds = []
      const asking = ${channel}
      asking.onmessage = ({ data }) => {
        kinds.push(data.kind)
        if (data.kind === 'end') resolve(kinds.join())
      }
      asking.postMessage({ kind: 'asked' })
    })`)
    expect(kinds).to.equal('end')
    const tab = await at.page.context().newPage()
    await shareOrigin(tab)
    await tab.goto(`${at.app.url}/console`)
    await tab.getByLabel('Paste an API key').waitFor()
    const planted = { id: '1', name: 'x', colour: '#2f7ed8', key: at.app.key, keep: false }
    await tab.evaluate(`void (globalThis.isHeard = new Promise((resolve) => {
      const heard = ${channel}
      heard.onmessage = ({ data }) => data.kind === 'answered' && resolve()
    }))`)
    await other.evaluate(
      `${channel}.postMessage(${JSON.stringify({ kind: 'answered', profiles: [planted], active: '1' })})`,
    )
    await tab.evaluate('globalThis.isHeard')
    expect(await tab.getByLabel('Paste an API key').count()).to.equal(1)
    await tab.close()
    await other.close()
    at.expectSilence()
  })
})
