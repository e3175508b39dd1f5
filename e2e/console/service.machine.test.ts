import { createServer, request as forward } from 'node:http'
import { expect } from 'chai'
import { start } from '../../testing/support/api/outcomes.ts'
import { until } from '../../testing/support/until.ts'
import { freePort } from '../../testing/support/http-server.ts'
import { createListener } from '../../common/runtime/listener.ts'
import { systemClock } from '../../common/runtime/system-effects.ts'
import { useConsole } from './console.fixture.ts'
import type { Listener } from '../../common/runtime/listener.ts'

const prefix = '/media/ffmpeg'

describe('the console behind a proxy that strips a path', () => {
  const at = useConsole()
  let port = 0
  let proxy: Listener
  /** Answer of the proxy in place of the service. */
  let refusal: { readonly status: number; readonly headers?: Record<string, string> } | null = null
  const row = (id: string) => at.page.locator(`tr[data-id="${id}"]`)

  before(async () => {
    port = await freePort()
    proxy = await startProxy()
  })
  after(() => proxy.stop(0))

  async function startProxy(): Promise<Listener> {
    const server = createServer((incoming, answer) => {
      const path = incoming.url ?? ''
      if (refusal !== null)
        return void answer
          .writeHead(refusal.status, refusal.headers)
          .end('<html><body>Away</body></html>')
      if (!path.startsWith(prefix)) return void answer.writeHead(404).end()
      const target = new URL(path.slice(prefix.length) || '/', at.app.url)
      const inner = forward(
        target,
        { method: incoming.method, headers: incoming.headers },
        (got) => {
          answer.writeHead(got.statusCode ?? 502, got.headers)
          got.pipe(answer)
          got.once('error', () => answer.destroy())
        },
      )
      inner.once('error', () => answer.destroy())
      answer.once('close', () => inner.destroy())
      incoming.pipe(inner)
    })
    const listener = createListener(server, { port, host: '127.0.0.1', clock: systemClock })
    await listener.start()
    return listener
  }

  it('finds its files, its pages and the API below the path', async () => {
    const id = await at.app.submit()
    const root = `http://127.0.0.1:${port}${prefix}`
    await at.page.goto(root)
    await at.page.getByRole('link', { name: 'Console' }).click()
    await at.page.getByLabel('Paste an API key').fill(at.app.key)
    await at.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await row(id).getByRole('link').click()
    await at.page.waitForURL(`${root}/console/commands/${id}`)
    await at.page.getByRole('heading', { name: 'Queued' }).waitFor()
    await at.page.reload()
    await at.page.getByRole('heading', { name: 'Queued' }).waitFor()
    expect(await at.page.locator('.code').textContent()).to.contain(`${root}/v1/run-ffmpeg-command`)
    await start(at.app, id)
    await at.page.getByText('42 %').waitFor()
    await at.page.getByRole('link', { name: 'Commands' }).first().click()
    await at.page.waitForURL(`${root}/console/commands`)
    await row(id).getByText('42 %').waitFor()
    const outside = at.browser.requested.filter(
      (url) => url.startsWith('http') && !url.startsWith(root),
    )
    expect(outside).to.deep.equal([])
    expect([...at.browser.errors, ...at.browser.messages]).to.deep.equal([])
  })

  it('keeps what it shows while the service does not answer, and catches up afterwards', async () => {
    const shown = await at.page.locator('tbody tr').count()
    await proxy.stop(0)
    await at.page.getByText('No answer from the service since').waitFor()
    await at.page.getByText(/Trying again in [1-4] s\./).waitFor()
    await at.page.locator('.shell.old').waitFor()
    expect(await at.page.locator('tbody tr').count()).to.equal(shown)
    await at.look('away')
    const id = await at.app.submit()
    proxy = await startProxy()
    // The page may look by itself before the click.
    const now = at.page.getByRole('button', { name: 'Now', exact: true })
    await Promise.race([now.click(), row(id).waitFor()])
    await row(id).waitFor()
    await at.page.getByText('No answer from the service since').waitFor({ state: 'detached' })
    expect(await at.page.locator('.shell.old').count()).to.equal(0)
    // Chromium reports each connection that was refused.
    expect(at.browser.errors.splice(0).join()).to.match(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/,
    )
  })
  for (const [name, answer, words] of [
    ['says that the database is away after 503', { status: 503 }, 'The database is away since'],
    [
      'waits as long as 429 says',
      { status: 429, headers: { 'Retry-After': '2' } },
      "The plan's rate of requests is used up. Going on in",
    ],
  ] as const) {
    it(`the console ${name}, and goes on by itself`, async () => {
      const shown = await at.page.locator('tbody tr').count()
      refusal = answer
      await at.page.getByRole('button', { name: 'Waiting', exact: true }).click()
      await at.page.getByText(words).waitFor()
      await at.look(`refused-${answer.status}`)
      refusal = null
      await at.page.getByText(words).waitFor({ state: 'detached' })
      await at.page.getByRole('button', { name: 'All', exact: true }).click()
      await until(async () => (await at.page.locator('tbody tr').count()) === shown)
      // Chromium reports each answer of this status as an error.
      expect(at.browser.errors.splice(0).join()).to.contain(String(answer.status))
    })
  }
})
