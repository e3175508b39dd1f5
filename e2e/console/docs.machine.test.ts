import { expect } from 'chai'
import { useConsole, widths } from './console.fixture.ts'

describe('the pages of /docs in a browser', () => {
  const at = useConsole()
  const devices = ['phone', 'desktop'] as const

  it('the pages of /docs lead from the landing page to a guide, and find one by a search', async () => {
    await at.page.goto(at.app.url)
    await at.page.getByRole('link', { name: 'Docs', exact: true }).click()
    await at.page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor()
    await at.look('docs', devices)
    await at.page.getByRole('button', { name: 'Search' }).first().click()
    await at.page.getByRole('combobox').fill('watermark')
    await at.page.getByRole('option').first().waitFor()
    await at.look('docs-search', devices)
    await at.page.getByRole('option').first().click()
    await at.page.waitForURL(`${at.app.url}/docs/guides/recipes#a-watermark`)
    at.expectSilence()
  })

  it('the pages of /docs show a guide with code and tables', async () => {
    await at.page.goto(`${at.app.url}/docs/guides/webhooks`)
    await at.page.getByRole('heading', { name: 'Verify in Node.js' }).waitFor()
    await at.look('docs-webhooks', devices)
    await at.page.goto(`${at.app.url}/docs/errors#invalid_command`)
    await at.page.getByRole('heading', { name: 'INVALID_COMMAND' }).waitFor()
    expect(at.page.url()).to.equal(`${at.app.url}/docs/guides/errors#invalid_command`)
    at.expectSilence()
  })

  it('the pages of /docs find a call of the API by the search, and show it again after a reload', async () => {
    await at.page.goto(`${at.app.url}/docs/guides/webhooks`)
    await at.page.getByRole('button', { name: 'Search' }).first().click()
    await at.page.getByRole('combobox').fill('init-upload')
    await at.page.getByRole('option', { name: /Begin an upload/ }).click()
    const call = at.page.locator('#operations-Files-initUpload')
    for (const time of ['first', 'second']) {
      await call.getByRole('button', { name: 'Execute' }).waitFor()
      expect(at.page.url(), time).to.equal(`${at.app.url}/docs/api#/Files/initUpload`)
      await at.page.reload()
    }
    await at.page.goto(`${at.app.url}/docs/api#/Files/none`)
    await at.page.getByText('The API has no call none.').waitFor()
    at.expectSilence()
  })

  it('the sidebar of the reference opens a call, opens it again after it was closed, and makes room on a phone', async () => {
    await at.page.goto(`${at.app.url}/docs/api`)
    const call = at.page.locator('#operations-Commands-listCommands')
    for (const width of [widths.desktop, widths.phone]) {
      await at.page.setViewportSize({ width, height: 900 })
      if (width === widths.phone) await at.page.getByRole('button', { name: 'Menu' }).last().click()
      await at.page.getByRole('link', { name: 'List commands' }).click()
      await at.page.waitForURL(`${at.app.url}/docs/api#/Commands/listCommands`)
      await at.page.locator('.VPBackdrop').waitFor({ state: 'hidden' })
      await call.getByRole('heading', { name: 'Responses' }).waitFor()
      await call.locator('.opblock-summary-control').click()
      await call.getByRole('heading', { name: 'Responses' }).waitFor({ state: 'hidden' })
    }
    await at.page.setViewportSize({ width: widths.desktop, height: 900 })
    at.expectSilence()
  })

  it('the pages of /docs show the reference, with the key of the console, and try a call without a file', async () => {
    await at.open()
    await at.page.goto(`${at.app.url}/docs/api`)
    const call = at.page.locator('#operations-Commands-runFfmpegCommand')
    await call.getByRole('button').first().click()
    await call.getByRole('button', { name: 'Execute' }).waitFor()
    await call.getByRole('button', { name: 'No key' }).click()
    await call.getByText('"invalid_key"').waitFor()
    await at.look('docs-api', devices)
    const ids = []
    for (const _time of ['first', 'second']) {
      const answered = at.page.waitForResponse(`${at.app.url}/v1/run-ffmpeg-command`)
      await call.getByRole('button', { name: 'Execute' }).click()
      const answer = await answered
      expect(answer.status()).to.equal(200)
      ids.push(((await answer.json()) as { command_id: string }).command_id)
    }
    expect(new Set(ids).size).to.equal(2)
    await call.getByRole('link', { name: 'Show the command in the console' }).click()
    await at.page.waitForURL(`${at.app.url}/console/commands/${ids[1]}`)
    await at.page.getByRole('heading', { name: 'Queued' }).waitFor()
    at.expectSilence()
  })
})
