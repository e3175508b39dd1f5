import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { succeed } from '../../testing/support/api/outcomes.ts'
import { useConsole } from './console.fixture.ts'

describe('the console', () => {
  const at = useConsole()
  let sampleId = ''
  const row = (id: string) => at.page.locator(`tr[data-id="${id}"]`)
  const keyField = () => at.page.getByLabel('Paste an API key')

  it('the console is reached from the landing page and has a field for a key', async () => {
    await at.page.goto(at.app.url)
    await at.look('landing')
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await at.page.getByRole('button', { name: 'Copy' }).click()
    await at.page.getByText('Copied').waitFor()
    expect(await at.page.evaluate('navigator.clipboard.readText()')).to.contain(
      `curl -sS ${at.app.url}/v1/run-ffmpeg-command`,
    )
    await at.page.getByRole('link', { name: 'Console' }).click()
    await keyField().waitFor()
    const focus = 'document.activeElement.getAttribute("aria-describedby")'
    expect(await at.page.evaluate(focus)).to.equal('sign-in-problem')
    await at.look('sign-in')
    at.expectSilence()
  })

  it('says what to do about a key that the service does not know', async () => {
    await keyField().fill('cff_wrong')
    await at.page.getByRole('button', { name: 'Sign in' }).click()
    const problem = at.page.getByRole('alert')
    await problem.getByText('This service does not know that key.').waitFor()
    await keyField().fill('')
    await at.page.getByRole('button', { name: 'Sign in' }).click()
    await problem.getByText('Paste a key.').waitFor()
    // Chromium reports each answer of 401 as an error.
    expect(at.browser.errors.splice(0)).to.have.length(1)
  })

  it('signs in as soon as a key is pasted, and runs a sample that needs no file', async () => {
    await at.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await at.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(` ${at.app.key}\n`)})`)
    await keyField().focus()
    await at.page.keyboard.press('Control+V')
    await at.page.getByText('Nothing has run yet.').waitFor()
    await at.look('empty')
    await at.page.getByRole('button', { name: 'Run a sample' }).first().click()
    await at.page.waitForURL(/\/console\/commands\/[0-9a-f-]{36}$/)
    const id = at.page.url().split('/').at(-1) ?? ''
    sampleId = id
    expect((await at.app.record(`/v1/commands/${id}`))['metadata']).to.deep.equal({ sample: true })
    await at.page.getByText('Queued').waitFor()
    await succeed(at.app, id)
    await at.page.getByText('1 output').waitFor()
    expect(await at.page.title()).to.equal('Done · sample.mp4 · Cloud FFmpeg')
    at.expectSilence()
  })

  it('gives its key to a new tab, and takes it from all tabs', async () => {
    const tab = await at.page.context().newPage()
    await tab.goto(`${at.app.url}/console`)
    await tab.getByRole('heading', { name: 'Commands' }).waitFor()
    expect(await at.page.evaluate('JSON.stringify({ ...localStorage })')).to.equal('{}')
    await at.page.locator('button.profile').click()
    await at.page.getByRole('button', { name: 'Sign out of all keys' }).click()
    for (const page of [at.page, tab]) await page.getByLabel('Paste an API key').waitFor()
    expect(await tab.evaluate('JSON.stringify({ ...sessionStorage })')).to.equal('{}')
    await tab.close()
  })

  it('takes a key from the fragment of a link once and erases it', async () => {
    await at.open('commands?state=done')
    expect(at.page.url()).to.equal(`${at.app.url}/console/commands?state=done`)
    at.expectSilence()
  })

  it('puts a question before it takes the key of a link while another account is signed in', async () => {
    const key = 'key-of-foreign'
    await at.app.addAccount('foreign', 'free', key)
    await at.open('commands?state=done', key)
    const question = at.page.getByRole('dialog', { name: 'Sign in to another account?' })
    await question.waitFor()
    await row(sampleId).waitFor()
    await question.getByRole('button', { name: 'Keep' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await at.page.getByRole('button', { name: 'first', exact: true }).count()).to.equal(1)
    at.expectSilence()
  })

  it('switches between the keys of two accounts, with the data of one at a time', async () => {
    const key = 'key-of-second'
    await at.app.addAccount('second', 'free', key)
    const id = await at.app.submit({}, { key })
    await at.page.getByRole('button', { name: 'first', exact: true }).click()
    await at.page.getByRole('button', { name: 'Add a key' }).click()
    await keyField().fill('cff_wrong')
    await at.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await at.page.getByText('This service does not know that key.').waitFor()
    expect(await at.page.getByText('The service no longer accepts this key.').count()).to.equal(0)
    expect(at.browser.errors.splice(0)).to.have.length(1)
    await keyField().fill(key)
    await at.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await at.page.getByRole('button', { name: 'All' }).click()
    await row(id).waitFor()
    expect(await at.page.locator('tbody tr').count()).to.equal(1)
    await at.page.locator('button.profile').click()
    await at.look('profiles')
    await at.page.getByRole('button', { name: 'first', exact: true }).click()
    await row(sampleId).waitFor()
    expect(await at.page.locator('tbody tr').count()).to.equal(1)
    at.expectSilence()
  })

  it('keeps what it shows when the key is revoked, and takes another one', async () => {
    await at.app.query('revoke', 'update api_keys set disabled = true where account_id = $1', [
      at.app.account.accountId,
    ])
    const bar = at.page.getByText('The service no longer accepts this key.')
    // The server accepts a key that it has verified for another five seconds.
    while (!(await bar.isVisible())) {
      await at.page.getByRole('button', { name: 'Failed', exact: true }).click()
      await at.page.getByRole('button', { name: 'All', exact: true }).click()
    }
    expect(await at.page.getByRole('heading', { name: 'Commands' }).isVisible()).to.equal(true)
    expect(at.browser.errors.splice(0)).not.to.deep.equal([])
    const key = 'key-of-third'
    await at.app.addAccount('third', 'pro', key)
    const id = await at.app.submit({}, { key })
    await keyField().fill(key)
    await at.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await bar.waitFor({ state: 'detached' })
    await row(id).waitFor()
  })
})

describe('the console of an installation where people register', () => {
  const at = useConsole({
    registration: {
      plan: 'free',
      requestsPerHour: 10,
      randomBytes,
      wake: () => undefined,
    },
  })

  it('sends the mail that brings a key', async () => {
    await at.page.goto(`${at.app.url}/console`)
    await at.page.getByText('No key yet? Register').click()
    await at.page.getByLabel('Your e-mail address').fill('user@app.example')
    await at.look('register')
    await at.page.getByRole('button', { name: 'Send' }).click()
    await at.page.getByText('A mail to user@app.example brings your key.').waitFor()
    at.expectSilence()
  })
})
