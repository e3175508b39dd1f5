import { expect } from 'chai'
import { fail, succeed } from '../../testing/support/api/outcomes.ts'
import { answering, startReceiver } from '../../api-server/webhooks/receiver.fixture.ts'
import { useConsole } from './console.fixture.ts'
import type { Answer, TestReceiver } from '../../api-server/webhooks/receiver.fixture.ts'

const text =
  (status: number, body: string): Answer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(body)

describe('the page of webhooks', () => {
  const at = useConsole({ sendsWebhooks: true })
  let receiver: TestReceiver
  const button = (name: string) => at.page.getByRole('button', { name, exact: true })
  const url = () => at.page.getByRole('textbox', { name: 'URL' })
  const deliveries = () => at.page.locator('.delivery')

  before(async () => {
    receiver = await startReceiver(
      answering(204),
      text(502, 'Bad gateway: the application is away\n'),
      answering(204),
      answering(204),
    )
  })
  after(() => receiver.close())

  it('the page of webhooks is loaded when it is opened, and says what is missing', async () => {
    await at.open()
    const loaded = () => at.browser.requested.filter((one) => one.includes('webhooks-page'))
    expect(loaded()).to.deep.equal([])
    await at.page.getByRole('link', { name: 'Webhooks' }).click()
    await at.page.getByText('No event yet.').waitFor()
    expect(loaded()).to.have.length(1)
    expect(await button('Send a test').isDisabled()).to.equal(true)
    await at.look('webhooks-empty')
    at.expectSilence()
  })

  it('says at the field why the service refuses a URL', async () => {
    await url().fill('ftp://app.example/hooks')
    await button('Save').click()
    const form = at.page.locator('.webhook-form')
    await form.getByRole('alert').getByText('ftp').waitFor()
    expect(await url().getAttribute('aria-invalid')).to.equal('true')
    await at.look('webhooks-refused', ['phone', 'desktop'])
    // Chromium reports each answer of 422 as an error.
    expect(at.browser.errors.splice(0)).to.have.length(1)
    at.expectSilence()
  })

  it('saves where events go, and tests the receiver', async () => {
    await url().fill(`${receiver.url}/hooks`)
    await at.page.getByLabel('file.stored').check()
    await button('Save').click()
    await at.page.getByText('Saved. Events go to this URL from now on.').waitFor()
    expect(await at.app.record('/v1/webhook')).to.deep.include({
      url: `${receiver.url}/hooks`,
      events: ['command.finished', 'file.stored'],
    })
    await button('Send a test').click()
    await at.page.getByText('The receiver took the test.').waitFor()
    await at.page.getByText('204', { exact: true }).waitFor()
    expect(receiver.received[0]?.headers['webhook-event']).to.equal('command.finished')
    at.expectSilence()
  })

  it('shows the secret on demand alone, and rotates it', async () => {
    const secret = String((await at.app.record('/v1/webhook'))['secret'])
    const shown = at.page.getByText(secret)
    expect(await at.page.locator('body').textContent()).not.to.contain(secret)
    await button('Show').click()
    await shown.waitFor()
    await button('Hide').click()
    await shown.waitFor({ state: 'detached' })
    await button('Rotate').click()
    await at.page.getByRole('button', { name: 'Rotate the secret' }).click()
    await at.page.getByText('Rotated.').waitFor()
    const next = String((await at.app.record('/v1/webhook'))['secret'])
    expect(next).not.to.equal(secret)
    await button('Show').click()
    await at.page.getByText(next).waitFor()
    await button('Hide').click()
    await at.page.getByText('Verify events').click()
    const code = () => at.page.locator('.code').first().textContent()
    expect(await code()).to.contain('process.env.CLOUD_FFMPEG_WEBHOOK_SECRET')
    await button('Python').click()
    expect(await code())
      .to.contain('verify_webhook(body, self.headers')
      .and.not.to.contain('whsec')
    await at.look('webhooks-verify')
    await at.page.getByText('Verify events').click()
    at.expectSilence()
  })

  it('shows a failed delivery with its request and answer, and sends it again', async () => {
    const id = await at.app.submit()
    await succeed(at.app, id)
    await receiver.arrived(2)
    await deliveries().getByText('502').waitFor()
    // The next attempt comes too soon to look at the page before.
    const later = `update webhook_deliveries set next_attempt_at = now() + interval '5 minutes'
      where status = 'PENDING' and leased_until is null`
    await at.app.query('later', later)
    await button('Refresh').click()
    await deliveries().getByText('next in 4 min').waitFor()
    await at.page.getByText('command.finished', { exact: true }).last().click()
    await at.page.getByText('Bad gateway: the application is away').waitFor()
    expect(await at.page.getByLabel('Headers').textContent()).to.match(
      /webhook-signature: v1,.{6}… v1,.{6}…/,
    )
    expect(await at.page.getByLabel('Body').textContent()).to.contain(`"command_id": "${id}"`)
    await at.look('webhooks-delivery')
    await button('Send again').click()
    await at.page.getByText('Sent again and delivered: 204.').waitFor()
    await deliveries().getByText('Delivered').waitFor()
    await at.page.getByText('attempt 2').waitFor()
    const [, first, second] = receiver.received
    expect(second?.body).to.equal(first?.body)
    expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id'])
    at.expectSilence()
  })

  it('sends a delivered event again, and leads to its command', async () => {
    await button('Send again').click()
    await at.page.getByText('attempt 3').waitFor()
    expect(receiver.received).to.have.length(4)
    await deliveries().getByRole('link').click()
    await at.page.getByRole('heading', { name: 'Done' }).waitFor()
    await at.page.getByRole('button', { name: 'Webhooks', exact: true }).click()
    await at.page.getByRole('link', { name: 'Requests and answers' }).click()
    await at.page.getByRole('button', { name: 'Of one command' }).waitFor()
    await at.page.getByText('command.finished', { exact: true }).last().click()
    await at.page.getByText('attempt 3').waitFor()
    const overflows = await at.page.evaluate<string[]>(
      `[...document.querySelectorAll('.delivery-details .code')].map((one) => getComputedStyle(one).overflowY)`,
    )
    expect(new Set(overflows), 'a long body scrolls in its box').to.deep.equal(new Set(['auto']))
    at.expectSilence()
  })

  it('lists what failed alone, and new events when commands end', async () => {
    await button('Failed').click()
    await at.page.getByText('No delivery matches.').waitFor()
    await at.page.getByRole('link', { name: 'Clear filters' }).click()
    await deliveries().first().waitFor()
    for (let count = 0; count < 3; count++) await fail(at.app, await at.app.submit())
    while ((await deliveries().count()) < 4);
    await at.look('webhooks-list')
    at.expectSilence()
  })

  // Last, because the browser reports the miss of its cache as an error.
  it('leaves no secret in the cache of the browser after sign-out', async () => {
    await at.page.getByRole('button', { name: 'first', exact: true }).click({ timeout: 10_000 })
    await at.page.getByRole('button', { name: 'Sign out of all keys' }).click({ timeout: 10_000 })
    await at.page.getByLabel('Paste an API key').waitFor()
    const kept = await at.page.evaluate<string>(
      `fetch('/v1/webhook', { cache: 'only-if-cached', mode: 'same-origin' }).then(
        (answer) => answer.text(), () => 'nothing')`,
    )
    expect(kept).to.equal('nothing')
  })
})
