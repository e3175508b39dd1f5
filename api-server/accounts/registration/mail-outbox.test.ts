import { expect } from 'chai'
import { retrySeconds } from './mail-outbox.ts'
import { useRegistrationApp, tokenIn } from './registration.fixture.ts'
import { directly } from '../../../common/runtime/failpoint.ts'
import { until } from '../../../testing/support/until.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import type { Failpoint } from '../../../common/runtime/effects.ts'

describe('the outbox of activation mails', () => {
  let fault: Failpoint = directly
  const app = useRegistrationApp({
    failpoint: (name, effect) => fault(name, effect),
    clock: { ...systemClock, schedule: (_delayMs, callback) => pauses.schedule(callback) },
  })
  afterEach(() => {
    fault = directly
    app.smtp.answer = 'accept'
  })

  /** A clock on which the test ends the pauses of the outbox. */
  const pauses = {
    waiting: new Set<() => void>(),
    schedule(callback: () => void) {
      pauses.waiting.add(callback)
      return () => void pauses.waiting.delete(callback)
    },
  }
  const pass = async (seconds: number) => {
    await until(() => pauses.waiting.size > 0)
    await app.age(seconds)
    for (const end of pauses.waiting) end()
  }

  const row = async (email: string) => {
    const [found] = await app.query<{ attempts: number; sent: boolean; failed: boolean }>(
      'registration',
      `select attempts, sent_at is not null as sent, failed_at is not null as failed
       from registrations where email = $1`,
      [email],
    )
    return found
  }

  it('keeps a registration whose mail the server refuses, and retries', async () => {
    app.smtp.answer = 'busy'
    expect((await app.register({ email: 'patient@example.com' })).status).to.equal(202)
    await pass(14)
    await until(() => pauses.waiting.size > 0)
    expect(await row('patient@example.com')).to.deep.include({ attempts: 1, sent: false })
    app.smtp.answer = 'accept'
    await pass(1)
    const answer = await app.activate(tokenIn(await app.smtp.mailTo('patient@example.com')))
    expect(answer.status).to.equal(200)
  })

  it('sends the mails behind a refused one without waiting for it', async () => {
    app.smtp.busyFor.add('full@example.com')
    await app.register({ email: 'full@example.com' })
    await until(async () => (await row('full@example.com'))?.attempts === 1)
    await until(() => pauses.waiting.size > 0)
    await app.register({ email: 'behind@example.com' })
    await app.smtp.mailTo('behind@example.com')
    expect(await row('full@example.com')).to.deep.include({ attempts: 1, sent: false })
    app.smtp.busyFor.clear()
    await pass(15)
    await app.smtp.mailTo('full@example.com')
  })

  it('the outbox does not retry a mailbox that does not exist', async () => {
    app.smtp.answer = 'no-mailbox'
    const before = app.smtp.offered
    await app.register({ email: 'unknown@example.com' })
    await until(async () => (await row('unknown@example.com'))?.failed === true)
    app.smtp.answer = 'accept'
    await pass(7_200)
    await app.tokenFor('after@example.com')
    expect(app.smtp.offered).to.equal(before + 2)
  })

  it('sends a second mail rather than none when it cannot record the first', async () => {
    fault = async (name, effect) => {
      if (name !== 'accounts.mail_recorded') return effect()
      fault = directly
      throw new Error('crash')
    }
    await app.register({ email: 'again@example.com' })
    const first = tokenIn(await app.smtp.mailTo('again@example.com'))
    await pass(300)
    const second = tokenIn(await app.smtp.mailTo('again@example.com', 2))
    expect((await app.activate(first)).status).to.equal(200)
    // Two mails of one registration can be used once.
    expect((await app.activate(second)).status).to.equal(400)
  })

  it('sends one mail when an address is registered again before the mail is sent', async () => {
    app.smtp.answer = 'busy'
    const before = app.smtp.offered
    await app.register({ email: 'eager@example.com' })
    await until(() => app.smtp.offered > before)
    await app.register({ email: 'eager@example.com' })
    app.smtp.answer = 'accept'
    await pass(15)
    await app.smtp.mailTo('eager@example.com')
    await app.tokenFor('marker@example.com')
    const to = app.smtp.mails.filter((mail) => mail.to?.[0]?.address === 'eager@example.com')
    expect(to).to.have.length(1)
  })

  it('deletes registrations after a week', async () => {
    await app.tokenFor('old@example.com')
    await app.age(8 * 86_400)
    await app.store.forgetOldRegistrations(7 * 86_400)
    expect(await row('old@example.com')).to.equal(undefined)
  })

  it('the outbox waits longer each time and gives up after a day', () => {
    const waits = Array.from({ length: 40 }, (_, index) => retrySeconds(index + 1))
    expect(waits.slice(0, 4)).to.deep.equal([15, 30, 60, 120])
    const given = waits.findIndex((seconds) => seconds === null)
    const total = waits.slice(0, given).reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0)
    expect(total).to.be.within(20 * 3_600, 26 * 3_600)
  })
})
