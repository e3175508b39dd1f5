import { expect } from 'chai'
import { launchBrowser } from '../../testing/browser/launch-browser.ts'
import type { Browser } from '../../testing/browser/launch-browser.ts'
import { patienceMs } from '../../local-cluster/host/wait-for.ts'
import { environment, orSkip } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { startReceiver } from '../steps/receiver.ts'
import type { Environment } from '../steps/environment.ts'
import { untilEnd } from '../steps/submit-and-wait.ts'

describe('a developer with a key and a browser', () => {
  let env: Environment
  let browser: Browser
  before(async function () {
    env = await environment(this)
    browser = await orSkip(this, () => launchBrowser((line) => console.log(`  ${line}`)))
    browser.page.setDefaultTimeout(patienceMs)
  })
  after(() => browser?.close())

  it('a developer comes from the address of the service to a video that plays', async () => {
    const { page } = browser
    await page.goto(env.installed.url)
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByLabel('Paste an API key').fill(env.installed.apiKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Run a sample' }).first().click()
    await page.waitForURL(/\/console\/commands\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const video = page.locator('video')
    await video.waitFor()
    await page.evaluate('document.querySelector("video").play()')
    // The page's policy forbids the evaluation by which Playwright waits for an expression.
    while (!(await page.evaluate('document.querySelector("video").currentTime > 0.5')));
    expect(await page.evaluate('document.querySelector("video").videoWidth')).to.equal(640)
    await page.getByRole('log').getByText('Input #0, lavfi').waitFor()
  })

  it('finds which part of a failed command FFmpeg refused', async () => {
    const { page } = browser
    const { command_id: id } = await env.client.submit({
      input_files: {},
      output_files: { out_1: 'small.mp4' },
      ffmpeg_command: '-f lavfi -i testsrc2=duration=1 -vf scal=-2:48 {{out_1}}',
      metadata: { story: 'console' },
    })
    await page.getByRole('link', { name: 'Commands' }).first().click()
    await page.locator(`tr[data-id="${id}"]`).getByText('Failed', { exact: true }).waitFor()
    const { error_status } = await untilEnd(env.client, id)
    expect(error_status).to.equal('INVALID_COMMAND')
    await page.locator(`tr[data-id="${id}"]`).getByRole('link').click()
    expect(
      await page.getByRole('region', { name: 'Error' }).locator('mark').textContent(),
    ).to.match(/^scal(=-2:48)?$/)
  })

  it('opens what a command has made from the list of files', async () => {
    const { page } = browser
    await page.getByRole('link', { name: 'Files' }).first().click()
    await page.getByRole('link', { name: 'sample.mp4', exact: true }).first().click()
    const sheet = page.getByRole('dialog', { name: 'sample.mp4' })
    await sheet.getByText('640x360').waitFor()
    await sheet.locator('video').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
  })

  it('finds a webhook that its receiver has refused, and sends it again', async () => {
    const { page } = browser
    const receiver = await startReceiver(env.cluster.hostAddress, [410, 204])
    try {
      const { command_id: id } = await env.client.submit({
        input_files: {},
        output_files: { out_1: 'dot.png' },
        ffmpeg_command: '-f lavfi -i color=s=16x16 -frames:v 1 {{out_1}}',
        webhook_url: receiver.url,
      })
      await untilEnd(env.client, id)
      await eventually('the receiver has refused the event', async () => receiver.calls.length > 0)
      await page.goto(`${env.installed.url}/console/webhooks?command=${id}`)
      await page.locator('.delivery').getByText('Failed', { exact: true }).waitFor()
      await page.locator('.delivery').getByText('command.finished', { exact: true }).click()
      await page.getByRole('button', { name: 'Send again', exact: true }).click()
      await page.getByText('Sent again and delivered: 204.').waitFor()
      const [first, second] = receiver.calls
      expect(second?.body).to.equal(first?.body)
      expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id'])
    } finally {
      await receiver.close()
    }
  })

  it('the console has loaded nothing from elsewhere, and the browser has nothing to report', () => {
    const { url, apiKey } = env.installed
    const origins = new Set(
      browser.requested.filter((one) => one.startsWith('http')).map((one) => new URL(one).origin),
    )
    expect([...origins]).to.include(new URL(url).origin)
    expect(origins.size, [...origins].join(' ')).to.be.at.most(2)
    expect(browser.requested.join('\n')).not.to.contain(apiKey)
    expect([...browser.errors, ...browser.messages]).to.deep.equal([])
  })
})
