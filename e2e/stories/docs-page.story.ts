import { createServer, request as forward } from 'node:http'
import { expect } from 'chai'
import type { Locator } from 'playwright-core'
import { launchBrowser } from '../../testing/browser/launch-browser.ts'
import type { Browser } from '../../testing/browser/launch-browser.ts'
import { isRecord } from '../../local-cluster/host/run-command.ts'
import { listenAt } from '../../testing/support/http-server.ts'
import { environment, orSkip } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { untilEnd } from '../steps/submit-and-wait.ts'

describe('a newcomer with a browser', () => {
  let env: Environment
  let browser: Browser
  before(async function () {
    env = await environment(this)
    browser = await orSkip(this, () => launchBrowser((line) => console.log(`  ${line}`)))
  })
  after(() => browser?.close())

  it('a newcomer comes from the address of the service to all calls, and runs the default ones twice', async () => {
    const { page } = browser
    await page.goto(env.installed.url)
    await page.getByRole('link', { name: 'API', exact: true }).click()
    await page.getByRole('button', { name: 'Authorize' }).click()
    const dialog = page.locator('.dialog-ux')
    await dialog.getByRole('textbox').fill(env.installed.apiKey)
    await dialog.getByRole('button', { name: 'Authorize', exact: true }).click()
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
    const ids = []
    for (const call of ['runFfmpegCommand', 'runChainedFfmpegCommands']) {
      const section = page.locator(`#operations-Commands-${call}`)
      await section.locator('.opblock-summary-control').click()
      for (const _time of ['first', 'second']) ids.push(await execute(section))
    }
    expect(new Set(ids).size).to.equal(4)
    for (const id of ids) {
      const { error_message, status } = await untilEnd(env.client, id)
      expect([status, error_message]).to.deep.equal(['SUCCESS', null])
    }
    const origins = new Set(browser.requested.map((url) => new URL(url).origin))
    expect([...origins]).to.deep.equal([new URL(env.installed.url).origin])
    expect(browser.errors).to.deep.equal([])
  })

  it('finds working links behind a proxy that strips a path, without a slash at its end too', async () => {
    const prefix = '/media/ffmpeg'
    const proxy = createServer((incoming, answer) => {
      const path = (incoming.url ?? '').slice(prefix.length) || '/'
      const inner = forward(
        new URL(path, env.installed.url),
        { headers: incoming.headers },
        (got) => {
          answer.writeHead(got.statusCode ?? 502, got.headers)
          got.pipe(answer)
        },
      )
      inner.once('error', () => answer.destroy())
      inner.end()
    })
    const site = await listenAt('127.0.0.1', proxy)
    const { page } = browser
    try {
      await page.goto(site.url + prefix)
      await page.waitForURL(`${site.url}${prefix}/`)
      await page.getByRole('link', { name: 'Recipes' }).click()
      expect(page.url()).to.equal(`${site.url}${prefix}/docs/guides/recipes`)
      await page.getByRole('heading', { name: 'Recipes', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Getting started' }).first().click()
      await page.getByRole('heading', { name: 'Getting started', level: 1 }).waitFor()
      expect(page.url()).to.equal(`${site.url}${prefix}/docs/guides/getting-started`)
      const elsewhere = browser.requested.filter((url) => !url.startsWith(site.url + prefix))
      expect(elsewhere.filter((url) => url.startsWith(site.url))).to.deep.equal([])
      expect(browser.errors).to.deep.equal([])
    } finally {
      await site.close()
    }
  })

  /** @returns the id of the command that the page's default request made */
  async function execute(section: Locator): Promise<string> {
    const answered = browser.page.waitForResponse((response) => response.url().includes('/v1/run-'))
    await section.getByRole('button', { name: 'Execute' }).click()
    const response = await answered
    const body: unknown = JSON.parse(await response.text())
    expect(response.status(), JSON.stringify(body)).to.equal(200)
    if (!isRecord(body)) throw new Error('the answer is not an object')
    return String(body['command_id'])
  }
})
