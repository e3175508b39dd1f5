import { expect } from 'chai'
import { launchBrowser } from '../../testing/browser/launch-browser.ts'
import type { Browser } from '../../testing/browser/launch-browser.ts'
import { patienceMs } from '../../local-cluster/host/wait-for.ts'
import { environment, orSkip } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { admin, newAccount } from '../steps/new-account.ts'
import { startReceiver } from '../steps/receiver.ts'
import type { Environment } from '../steps/environment.ts'
import type { NewAccount } from '../steps/new-account.ts'
import { untilEnd } from '../steps/submit-and-wait.ts'

describe('a developer with a key and a browser', () => {
  let env: Environment
  let browser: Browser
  let account: NewAccount
  before(async function () {
    env = await environment(this)
    // One without commands, which the console shows a sample to run.
    account = await newAccount(env, 'unlimited')
    browser = await orSkip(this, () => launchBrowser((line) => console.log(`  ${line}`)))
    browser.page.setDefaultTimeout(patienceMs)
  })
  after(() => browser?.close())

  it('a developer comes from the address of the service to a video that plays', async () => {
    const { page } = browser
    await page.goto(env.installed.url)
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByLabel('Paste an API key').fill(account.apiKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Run a sample' }).first().click()
    await page.waitForURL(/\/console\/commands\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const video = page.locator('video')
    await video.waitFor()
    await page.evaluate('document.querySelector("video").play()')
    await plays(640)
    await page.getByRole('log').getByText('Input #0, lavfi').waitFor()
  })

  it('finds which part of a failed command FFmpeg refused', async () => {
    const { page } = browser
    const { command_id: id } = await account.client.submit({
      input_files: {},
      output_files: { out_1: 'small.mp4' },
      ffmpeg_command: '-f lavfi -i testsrc2=duration=1 -vf scal=-2:48 {{out_1}}',
      metadata: { story: 'console' },
    })
    await page.getByRole('link', { name: 'Commands' }).first().click()
    await page.locator(`tr[data-id="${id}"]`).getByText('Failed', { exact: true }).waitFor()
    const { error_status } = await untilEnd(account.client, id)
    expect(error_status).to.equal('INVALID_COMMAND')
    await page.locator(`tr[data-id="${id}"]`).getByRole('link').click()
    expect(
      await page.getByRole('region', { name: 'Error' }).locator('mark').textContent(),
    ).to.match(/^scal(=-2:48)?$/)
  })

  it('plays a private playlist, whose plain URL opens nothing', async () => {
    const { page } = browser
    const { command_id: id } = await account.client.submit({
      input_files: {},
      output_files: { out_playlist_1: 'film.m3u8' },
      ffmpeg_command:
        '-f lavfi -i testsrc2=size=320x240:duration=3 -c:v libx264 -pix_fmt yuv420p -g 25 -hls_time 1 -hls_playlist_type vod {{out_playlist_1}}',
      is_private: true,
    })
    const record = await untilEnd(account.client, id)
    const plain = await fetch(record.output_files?.['out_playlist_1']?.storage_url ?? '')
    expect([record.error_message, plain.status]).to.deep.equal([null, 403])
    await page.goto(`${env.installed.url}/console/commands/${id}`)
    await page.getByRole('button', { name: 'Play film.m3u8' }).click()
    await plays(320)
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

  it('reads why a command waits, and sees it go on', async () => {
    const { page } = browser
    await admin(env, 'pause', 'account', account.name, '--why', 'the invoice is open')
    const { command_id: id } = await account.client.submit({
      input_files: {},
      output_files: { out_1: 'dot.png' },
      ffmpeg_command: '-f lavfi -i color=s=16x16 -frames:v 1 {{out_1}}',
    })
    await page.goto(`${env.installed.url}/console/commands/${id}`)
    await page
      .getByText('An administrator has paused the start of commands: the invoice is open')
      .waitFor()
    await admin(env, 'resume', 'account', account.name)
    await page.getByRole('heading', { name: 'Done' }).waitFor()
  })

  it('finds a webhook that its receiver has refused, and sends it again', async () => {
    const { page } = browser
    const receiver = await startReceiver(env.cluster.hostAddress, [410, 204])
    try {
      const { command_id: id } = await account.client.submit({
        input_files: {},
        output_files: { out_1: 'dot.png' },
        ffmpeg_command: '-f lavfi -i color=s=16x16 -frames:v 1 {{out_1}}',
        webhook_url: receiver.url,
      })
      await untilEnd(account.client, id)
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
    const { url } = env.installed
    const origins = new Set(
      browser.requested.filter((one) => one.startsWith('http')).map((one) => new URL(one).origin),
    )
    expect([...origins]).to.include(new URL(url).origin)
    expect(origins.size, [...origins].join(' ')).to.be.at.most(2)
    expect(browser.requested.join('\n')).not.to.contain(account.apiKey)
    expect([...browser.errors, ...browser.messages]).to.deep.equal([])
  })

  /** Waits until the one video of the page plays. */
  async function plays(width: number): Promise<void> {
    const { page } = browser
    // The page's policy forbids the evaluation by which Playwright waits for an expression.
    while (!(await page.evaluate('document.querySelector("video")?.currentTime > 0.5')));
    expect(await page.evaluate('document.querySelector("video").videoWidth')).to.equal(width)
  }
})
