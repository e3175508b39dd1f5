import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { dropFile } from '../../testing/browser/drop-file.ts'
import { launchBrowser } from '../../testing/browser/launch-browser.ts'
import type { Browser } from '../../testing/browser/launch-browser.ts'
import { patienceMs } from '../../local-cluster/host/wait-for.ts'
import { environment, orSkip } from '../steps/environment.ts'
import type { Environment } from '../steps/environment.ts'
import { untilEnd } from '../steps/submit-and-wait.ts'

describe('a developer with a film and a browser', () => {
  let env: Environment
  let browser: Browser
  before(async function () {
    env = await environment(this)
    browser = await orSkip(this, () => launchBrowser((line) => console.log(`  ${line}`)))
    browser.page.setDefaultTimeout(patienceMs)
  })
  after(() => browser?.close())
  const result = () => browser.page.getByRole('region', { name: 'Result' })
  const run = () => browser.page.getByRole('button', { name: 'Run', exact: true })

  it('drops it onto the playground, chooses a recipe, and sees what it made', async () => {
    const { page } = browser
    await page.goto(env.installed.url)
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByLabel('Paste an API key').fill(env.installed.apiKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('link', { name: 'Playground' }).click()
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    await dropFile(page, path.join(env.folder, 'clip.mp4'))
    await page.getByRole('button', { name: 'MP4', exact: true }).click()
    await run().click()
    await result().locator('video').waitFor()
    await page.evaluate('document.querySelector(".result video").play()')
    // The page's policy forbids the evaluation by which Playwright waits for an expression.
    while (!(await page.evaluate('document.querySelector(".result video").currentTime > 0.2')));
  })

  it('corrects a failed command by the mark in it, and runs it again', async () => {
    const { page } = browser
    const { command_id: id } = await env.client.submit({
      input_files: {},
      output_files: { out_1: 'still.png' },
      ffmpeg_command: '-f lavfi -i testsrc2=duration=1 -vf scal=160:-2 -frames:v 1 {{out_1}}',
      metadata: { story: 'playground' },
    })
    await untilEnd(env.client, id)
    await page.goto(`${env.installed.url}/console/commands/${id}`)
    await page.getByRole('link', { name: 'Fix in the playground' }).click()
    await page.locator('.backdrop .mark.bad').first().waitFor()
    await page.getByRole('button', { name: 'Write scale' }).click()
    await run().click()
    await result().getByText('Done').waitFor()
    const picture = result().getByRole('img', { name: 'still.png' })
    await picture.waitFor()
    while (!(await page.evaluate('document.querySelector(".result img")?.naturalWidth === 160')));
  })

  it('uploads a film of 100 MB by drop, with the storage of the cluster', async () => {
    const { page } = browser
    const file = path.join(env.folder, 'large.bin')
    await writeFile(file, Buffer.alloc(100 * 1_048_576, 7))
    await page.getByRole('button', { name: 'Clear' }).click()
    await dropFile(page, file)
    await page.getByRole('button', { name: 'Take large.bin out of in_1' }).waitFor()
    const [found] = (await env.client.listFiles({ limit: 20 })).filter(
      (one) => one.original_file_url === 'large.bin',
    )
    expect(found).to.include({ size_mbytes: 100 })
    await env.client.deleteFile(found?.file_id ?? '')
  })

  it('finds nothing to report in the browser', () => {
    expect([...browser.errors, ...browser.messages]).to.deep.equal([])
    expect(browser.requested.join('\n')).not.to.contain(env.installed.apiKey)
  })
})
