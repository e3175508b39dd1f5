import { expect } from 'chai'
import { succeed } from '../../testing/support/api/outcomes.ts'
import { field } from '../../api-server/checked-call.fixture.ts'
import { useConsole } from './console.fixture.ts'

/** Each page does its first task and is read by axe-core at one width, in light colours. The other tests of this folder go on. */
describe('each page of the console', () => {
  const at = useConsole()
  let submitted = ''
  const row = (id: string) => at.page.locator(`tr[data-id="${id}"]`)
  const button = (name: string) => at.page.getByRole('button', { name, exact: true })
  const heading = (name: string) => at.page.getByRole('heading', { name }).first().waitFor()
  const follow = async (name: string) => {
    const pages = at.page.getByRole('navigation', { name: 'Console' })
    await pages.getByRole('link', { name, exact: true }).click()
    await heading(name)
  }
  const look = async (name: string) => {
    await at.look(`gate-${name}`, ['desktop'], ['light'])
    at.expectSilence()
  }

  it('sign-in takes a key', async () => {
    await at.page.goto(`${at.app.url}/console`)
    await at.page.getByLabel('Paste an API key').fill(at.app.key)
    await look('sign-in')
    await button('Sign in').click()
    await heading('Commands')
  })

  it('Commands shows a command that is submitted while it is open', async () => {
    submitted = await at.app.submit()
    await row(submitted).waitFor()
    await look('commands')
  })

  it('the page of a command follows it to its end', async () => {
    await row(submitted).getByRole('link').click()
    await heading('Queued')
    await succeed(at.app, submitted)
    await heading('Done')
    await look('command')
  })

  it('Playground checks what is typed and submits it', async () => {
    await follow('Playground')
    await at.page.getByRole('button', { name: 'Watermark', exact: true }).click()
    for (const input of ['in_1', 'in_2']) {
      await at.page.getByLabel(`URL of ${input}`).fill(`https://media.example/${input}.mp4`)
    }
    await at.page.getByText('Checked', { exact: true }).waitFor()
    await button('Run').click()
    await at.page.getByRole('region', { name: 'Result' }).getByText('Queued').waitFor()
    await look('playground')
  })

  it('Files shows the output of the command', async () => {
    await follow('Files')
    await at.page.getByRole('link', { name: 'small.mp4', exact: true }).waitFor()
    await look('files')
  })

  it('Webhooks saves where events go', async () => {
    await follow('Webhooks')
    await at.page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example/events')
    await button('Save').click()
    await at.page.getByText('Saved. Events go to this URL from now on.').waitFor()
    const kept = await at.app.record('/v1/webhook')
    expect(field(kept, 'url')).to.equal('https://hooks.example/events')
    await look('webhooks')
  })

  it('Usage shows the plan and what has ended', async () => {
    await follow('Usage')
    await at.page.getByRole('region', { name: 'Plan' }).waitFor()
    await at.page.getByRole('img', { name: /^Commands: / }).waitFor()
    await look('usage')
  })

  it('Keys makes a key that is shown once', async () => {
    await follow('Keys')
    await at.page.getByLabel('Name of the key').fill('wall screen')
    await button('Make the key').click()
    await at.page.getByText('Copy the key now').waitFor()
    await look('keys')
  })

  it('Settings changes the theme at once', async () => {
    await follow('Settings')
    await at.page.getByLabel('Dark').check()
    const theme = await at.page.evaluate('document.documentElement.dataset.theme')
    expect(theme).to.equal('dark')
    await at.page.getByLabel('Light').check()
    await look('settings')
  })
})
