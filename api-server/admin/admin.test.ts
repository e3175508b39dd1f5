import { useApp } from '../../testing/support/api/app.ts'
import { expect } from 'chai'
import { administrationOf } from './admin.fixture.ts'
import { checkedCall, field } from '../checked-call.fixture.ts'

describe('the administration', () => {
  const app = useApp()

  const { admin, json } = administrationOf(app)
  const statusOf = async (key: unknown) =>
    (await checkedCall(app.url, '/v1/commands', { key: String(key) })).status

  it('creates an account with a valid key, and prints it as a table', async () => {
    const made = await json('accounts', 'create', 'acme', '--plan', 'unlimited')
    expect(made).to.deep.include({ name: 'acme', plan: 'unlimited', suspended: false, email: null })
    expect(await statusOf(field(made, 'api_key'))).to.equal(200)
    const { output } = await admin('accounts', 'show', 'acme')
    expect(output)
      .to.match(/^NAME +PLAN +STATE/)
      .and.match(/acme +unlimited +active/)
    expect(output).to.contain(String(field(made, 'key_id')))
    expect(output).not.to.contain(String(field(made, 'api_key')))
  })

  it('creates further keys, lists and revokes them by id', async () => {
    const made = await json('keys', 'create', 'acme', '--environment', 'staging', '--label', 'ci')
    expect(made).to.deep.include({ environment_name: 'staging', label: 'ci' })
    const keyId = String(field(made, 'key_id'))
    const changed = await json('keys', 'set-environment', keyId, 'live')
    expect(field(changed, 'environment_name')).to.equal('live')
    expect(field(await json('keys', 'revoke', keyId), 'disabled')).to.equal(true)
    expect(await statusOf(field(made, 'api_key'))).to.equal(401)
    const listed = await json('keys', 'list', 'acme')
    expect(listed).to.have.length(2)
    expect(JSON.stringify(listed)).to.contain(keyId)
  })

  it('creates keys that are read-only or expire, which the API enforces', async () => {
    const made = await json('keys', 'create', 'acme', '--read-only', '--expires-in', '12h')
    expect(made).to.deep.include({ read_only: true, disabled: false, label: null })
    const [created, expires] = ['created_at', 'expires_at'].map((name) =>
      Date.parse(String(field(made, name))),
    )
    expect((expires ?? 0) - (created ?? 0)).to.equal(12 * 3_600_000)
    const key = String(field(made, 'api_key'))
    expect(field(made, 'prefix')).to.equal(key.slice(0, 8))
    expect(await statusOf(key)).to.equal(200)
    const refusedChange = await checkedCall(app.url, '/v1/webhook', { method: 'DELETE', key })
    expect(refusedChange.status).to.equal(403)
    expect((await admin('keys', 'list', 'acme')).output).to.match(/ read-only /)
    for (const time of ['12', '0h', '30 d', '40000d']) {
      const { code, errors } = await admin('keys', 'create', 'acme', '--expires-in', time)
      expect(errors).to.match(/--expires-in must be a number with s, m, h or d/)
      expect(code).to.equal(1)
    }
  })

  it('deletes an account only when its name is confirmed', async () => {
    await json('accounts', 'create', 'gone', '--no-key')
    for (const args of [[], ['--confirm', 'acme']]) {
      const { code, errors } = await admin('accounts', 'delete', 'gone', ...args)
      expect(code).to.equal(1)
      expect(errors).to.match(
        /--confirm must be the name of the account, 'gone'; (it is missing|got 'acme')/,
      )
    }
    const begun = await json('accounts', 'delete', 'gone', '--confirm', 'gone')
    expect(begun).to.deep.include({ name: 'gone', suspended: true })
    expect(field(begun, 'deleting_at')).to.be.a('string')
    expect((await admin('accounts', 'show', 'gone')).output).to.match(/gone +free +deleting/)
  })

  it('changes plan, suspension and output TTL, which the API applies', async () => {
    await json('accounts', 'create', 'beta', '--no-key', '--email', 'Beta@Example.com')
    expect(field(await json('accounts', 'set-plan', 'beta', 'unlimited'), 'plan')).to.equal(
      'unlimited',
    )
    expect(field(await json('accounts', 'suspend', 'beta@example.com'), 'suspended')).to.equal(true)
    const ttl = await json('accounts', 'set-output-ttl', 'beta', '3600')
    expect(ttl).to.deep.include({ suspended: true, default_output_ttl_seconds: 3_600, keys: 0 })
    const account = await app.store.findAccountByName('beta')
    expect(account).to.deep.include({ suspended: true, defaultOutputTtlSeconds: 3_600 })
    const back = await json('accounts', 'set-output-ttl', 'beta', 'none')
    expect(field(back, 'default_output_ttl_seconds')).to.equal(null)
    expect(field(await json('accounts', 'resume', 'beta'), 'suspended')).to.equal(false)
    expect(await json('accounts', 'list')).to.have.length(4)
  })

  const refused: [string[], number, RegExp][] = [
    [['accounts', 'create', 'first'], 1, /the name 'first' is taken/],
    [['accounts', 'create', 'Acme Inc'], 1, /NAME 'Acme Inc' is not a DNS label/],
    [
      ['accounts', 'create', 'gold', '--plan', 'gold'],
      1,
      /plan 'gold' does not exist: the plans are free, unlimited, pro/,
    ],
    [['accounts', 'create', 'mail', '--email', 'x'], 1, /--email 'x' is not an e-mail address/],
    [
      ['accounts', 'set-output-ttl', 'first', '59'],
      1,
      /SECONDS must be an integer from 60 .*; got '59'/,
    ],
    [['accounts', 'show', 'absent'], 1, /account 'absent' does not exist: 'accounts list' shows/],
    [['keys', 'revoke', '7'], 1, /key '7' does not exist: 'keys list ACCOUNT'/],
    [['accounts', 'set-plan', 'first'], 2, /PLAN is missing\n\nusage: admin accounts set-plan/],
    [['accounts', 'show', 'a', 'b'], 2, /'b' is one argument too many/],
    [
      ['accounts', 'create', 'a', '--plam', 'free'],
      2,
      /^admin: Unknown option '--plam'; did you mean '--plan'\?\n\nusage: admin accounts create/,
    ],
    [
      ['accounts', 'remove', 'a'],
      2,
      /unknown command 'accounts remove'\n\nusage: .*accounts list/s,
    ],
    [
      ['acounts', 'list'],
      2,
      /^admin: unknown command 'acounts list'; did you mean 'accounts list'\?\n'admin --help' shows all commands$/,
    ],
    [['quue'], 2, /^admin: unknown command 'quue'; did you mean 'queue'\?/],
    [['whoami'], 2, /^admin: unknown command 'whoami'\n'admin --help' shows all commands$/],
  ]
  for (const [args, exitCode, message] of refused) {
    it(`refuses 'admin ${args.join(' ')}' with exit code ${exitCode}`, async () => {
      const { code, output, errors } = await admin(...args)
      expect(errors).to.match(message)
      expect(output).to.equal('')
      expect(code).to.equal(exitCode)
    })
  }

  it('admin prints its usage', async () => {
    const all = await admin('--help')
    expect(all.code).to.equal(0)
    expect(all.output)
      .to.match(/accounts create NAME/)
      .and.match(/keys revoke KEY_ID/)
    const one = await admin('keys', 'create', '--help')
    expect(one.output).to.match(/--environment NAME/)
  })

  it('prints the usage of a group of commands', async () => {
    const { code, output, errors } = await admin('accounts', '--help')
    expect([code, errors]).to.deep.equal([0, ''])
    expect(output)
      .to.match(/accounts create NAME/)
      .and.not.match(/keys revoke/)
  })
})
