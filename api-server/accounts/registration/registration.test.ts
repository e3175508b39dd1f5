import { expect } from 'chai'
import { keyIn, linkIn, useRegistrationApp, tokenIn } from './registration.fixture.ts'
import { startTestApp } from '../../../testing/support/api/app.ts'
import { checkedCall, field, placesOf } from '../../checked-call.fixture.ts'

const accepted = { status: 202, body: { status: 'PENDING_ACTIVATION' } }

describe('registration', () => {
  const app = useRegistrationApp()

  it('registration leads from an address through a mail to a valid key', async () => {
    expect(await app.register({ email: ' Ada.Lovelace@Example.COM ' })).to.deep.include(accepted)
    const mail = await app.smtp.mailTo('ada.lovelace@example.com')
    expect(mail.from).to.deep.include({ name: 'Cloud FFmpeg', address: 'noreply@media.example' })
    expect(mail.subject).to.equal('Activate your Cloud FFmpeg account')
    expect(linkIn(mail).origin).to.equal(app.url)
    const { status, headers, body } = await app.activate(tokenIn(mail))
    expect(status).to.equal(200)
    expect(headers.get('cache-control')).to.equal('no-store')
    expect(field(body, 'plan')).to.equal('free')
    const key = String(field(body, 'api_key'))
    expect(key).to.match(/^cff_[A-Za-z0-9_-]{43}$/)
    await app.submit({}, { key })
    const account = await app.store.findAccountByName('ada-lovelace')
    expect(account?.accountId).to.equal(field(body, 'account_id'))
  })

  it('answers the same for a known address, and adds a key to its account', async () => {
    const first = await app.activate(await app.tokenFor('twice@example.com'))
    expect(await app.register({ email: 'twice@example.com' })).to.deep.include(accepted)
    const mail = await app.smtp.mailTo('twice@example.com', 2)
    expect(mail.subject).to.equal('Your new Cloud FFmpeg API key')
    const second = await app.activate(tokenIn(mail))
    expect(field(second.body, 'account_id')).to.equal(field(first.body, 'account_id'))
    expect(keyIn(second)).not.to.equal(keyIn(first))
    for (const answer of [first, second]) {
      expect((await app.call('/v1/commands', { key: keyIn(answer) })).status).to.equal(200)
    }
  })

  it('keeps no token and no key, only their hashes', async () => {
    const token = await app.tokenFor('hash@example.com')
    const key = keyIn(await app.activate(token))
    for (const table of ['registrations', 'activation_tokens', 'accounts', 'api_keys']) {
      const statement = `select t::text as row from ${table} t`
      const rows = await app.query<{ row: string }>(`all_${table}`, statement)
      const text = rows.map(({ row }) => row).join('\n')
      expect(text).not.to.contain(token).and.not.to.contain(key.slice(4))
    }
  })

  it('accepts a token once, also in two concurrent requests', async () => {
    const token = await app.tokenFor('race@example.com')
    const before = await app.count('api_keys')
    const answers = await Promise.all([1, 2, 3, 4].map(() => app.activate(token)))
    expect(answers.map(({ status }) => status)).to.have.members([200, 400, 400, 400])
    expect((await app.activate(token)).body).to.include({
      code: 'wrong_state',
      detail: 'The token is unknown, used or older than 24 hours: register again for a new one',
    })
    expect(await app.count('api_keys')).to.equal(before + 1)
  })

  it('creates one account when two tokens of an address are used concurrently', async () => {
    const email = 'pair@example.com'
    const tokens = [await app.tokenFor(email), await app.tokenFor(email, 2)]
    const answers = await Promise.all(tokens.map((token) => app.activate(token)))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200])
    const ids = answers.map(({ body }) => field(body, 'account_id'))
    expect(ids[0]).to.equal(ids[1])
  })

  it('refuses a token that is unknown or a day old', async () => {
    expect((await app.activate('unknown')).status).to.equal(400)
    const late = await app.tokenFor('late@example.com')
    await app.age(86_395)
    const inTime = await app.tokenFor('in-time@example.com')
    await app.age(6)
    expect((await app.activate(late)).status).to.equal(400)
    expect((await app.activate(inTime)).status).to.equal(200)
  })

  it('names accounts after the requested name or the address, without duplicates', async () => {
    const nameOf = async (email: string, name?: string) => {
      await app.register({ email, name })
      const { body } = await app.activate(tokenIn(await app.smtp.mailTo(email)))
      const [account] = await app.store.listAccounts(String(field(body, 'account_id')))
      return account?.name
    }
    expect(await nameOf('grace@example.com')).to.equal('grace')
    expect(await nameOf('grace@example.org')).to.match(/^grace-[0-9a-f]{8}$/)
    expect(await nameOf('x@example.org', 'Café Zürich & Co.')).to.equal('cafe-zurich-co')
  })

  it('rejects an invalid e-mail address', async () => {
    const wrong = ['', 'ada', 'ada@', 'a b@example.com', 'Ada <ada@example.com>', 'a@b..c']
    for (const email of [...wrong, 'a@-b.c', `a@${'b.'.repeat(130)}c`, 'a@b.c\r\nBcc: x@y.z']) {
      const answer = await app.register({ email })
      expect(placesOf(answer), email).to.deep.equal(['body.email value_error'])
    }
    expect(placesOf(await app.register({ email: 7 }))).to.deep.equal(['body.email string_type'])
    expect(placesOf(await app.register({}))).to.deep.equal(['body.email missing'])
    expect(placesOf(await app.register('nothing'))).to.deep.equal(['body json_invalid'])
    expect(placesOf(await app.activate(''))).to.deep.equal(['body.token string_too_short'])
  })

  it('limits the mails to an address whose owner did not request them', async () => {
    for (let mails = 1; mails <= 5; mails++) await app.tokenFor('victim@example.com', mails)
    expect(await app.register({ email: 'victim@example.com' })).to.deep.include(accepted)
    await app.tokenFor('marker@example.com')
    const to = app.smtp.mails.filter((mail) => mail.to?.[0]?.address === 'victim@example.com')
    expect(to).to.have.length(5)
  })

  it('registration needs no key, and answers 404 when it is disabled', async () => {
    const off = await startTestApp()
    for (const path of ['/v1/accounts', '/v1/accounts/activate', '/api/v1/accounts']) {
      const answer = await checkedCall(off.url, path, { method: 'POST', body: {} })
      expect(answer.status).to.equal(404)
    }
    expect((await fetch(`${off.url}/activate`)).status).to.equal(404)
    await off.close()
  })
})
