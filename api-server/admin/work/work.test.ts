import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { field } from '../../checked-call.fixture.ts'
import { fail } from '../../../testing/support/api/outcomes.ts'
import { admitWaiting } from '../../../testing/support/admit-waiting.ts'
import { administrationOf } from '../admin.fixture.ts'

describe('the administration of work', () => {
  const app = useApp()
  const { admin, json } = administrationOf(app)

  const admitted = async (accountId: string) => (await admitWaiting(app.store, accountId)).admitted
  const statusOf = async (id: string) => field(await app.record(`/v1/commands/${id}`), 'status')

  afterEach(async () => {
    for (const pause of await app.store.readPauses()) {
      const { what, accountId } = pause
      await app.store.resume(what === 'account' ? { what, accountId: accountId ?? '' } : { what })
    }
  })

  it('pauses the start of commands for a reason, and shows since when', async () => {
    const { accountId } = app.account
    const id = await app.submit()
    await app.store.markDispatched(id, `uid-${id}`)
    const paused = await json('pause', 'admission', '--why', 'nodes are upgraded')
    expect(field(field(paused, '0'), 'why')).to.equal('nodes are upgraded')
    expect(await admitted(accountId)).to.deep.equal([])
    expect((await admin('pauses')).output).to.match(
      /^admission +\S+Z \([^)]+\) +nodes are upgraded$/m,
    )
    expect(await json('resume', 'admission')).to.deep.equal([])
    expect(await admitted(accountId)).to.deep.equal([id])
  })

  it('pauses the queue of one account, and says when there was no pause to end', async () => {
    await app.addAccount('quiet', 'pro', 'quiet-key')
    await json('pause', 'account', 'quiet')
    expect((await admin('pauses')).output).to.match(/^account quiet +\S+Z \([^)]+\) +maintenance$/m)
    await json('resume', 'account', 'quiet')
    const again = await admin('resume', 'account', 'quiet')
    expect(again).to.include({ code: 0, output: 'It was not paused.\nNothing is paused.' })
  })

  it('shows what waits, of which account and why', async () => {
    await app.addAccount('waiting', 'pro', 'waiting-key')
    const id = await app.submit({}, { key: 'waiting-key' })
    await app.store.markDispatched(id, `uid-${id}`)
    await app.store.pause({ what: 'admission' }, 'maintenance')
    const [shown] = [await json('queue', '--account', 'waiting')].flat()
    expect(shown).to.deep.include({ account: 'waiting', waiting: 1, queue_reason: 'PAUSED' })
    expect((await admin('queue')).output).to.match(/^waiting +pro +0 +0 +1 +\d+ s +PAUSED$/m)
    await app.store.resume({ what: 'admission' })
    await app.submit({}, { key: 'waiting-key' })
    const [more] = [await json('queue', '--account', 'waiting')].flat()
    expect(more).to.deep.include({ waiting: 2, queue_reason: 'DISPATCH' })
    await json('pause', 'account', 'waiting')
    const [paused] = [await json('queue', '--account', 'waiting')].flat()
    expect(paused).to.deep.include({ waiting: 2, queue_reason: 'PAUSED' })
  })

  it('cancels the commands of an account only when its name is confirmed', async () => {
    const { accountId } = await app.addAccount('noisy', 'pro', 'noisy-key')
    const sent = { key: 'noisy-key' }
    const ids = [await app.submit({}, sent), await app.submit({}, sent), await app.submit({}, sent)]
    const commands = ['commands', 'cancel-all', 'noisy']
    expect(await json(...commands)).to.deep.include({ commands: 3, cancelled: false })
    expect((await admin(...commands, '--confirm', 'other')).errors).to.match(
      /--confirm must be the name of the account, 'noisy'; got 'other'/,
    )
    expect(await json(...commands, '--confirm', 'noisy')).to.deep.include({ cancelled: true })
    const kept = (await app.store.listAdminActions(10)).filter(
      ({ command }) => command === 'commands cancel-all',
    )
    expect(kept.map((each) => each.arguments)).to.deep.equal([['noisy', '--confirm', 'noisy']])
    expect((await admin(...commands, '--confirm', 'noisy', '--dry-run')).code).to.equal(0)
    for (const id of ids) {
      expect(await app.store.findCommand(accountId, id)).to.deep.include({
        status: 'FAILED',
        errorStatus: 'CANCELLED',
        cancelledBy: 'administrator',
      })
    }
  })

  it('submits a failed command again under a new id, and no other', async () => {
    const privately = { is_private: true, presigned_ttl_seconds: 90 }
    const id = await app.submit({ metadata: { order: 18 }, ...privately })
    expect((await admin('commands', 'requeue', id)).errors).to.match(
      /is QUEUED: only a FAILED command is submitted again/,
    )
    await fail(app, id)
    const again = String(field(await json('commands', 'requeue', id), 'command_id'))
    const [first, second] = await Promise.all(
      [id, again].map((one) => app.record(`/v1/commands/${one}`)),
    )
    expect(await statusOf(again)).to.equal('QUEUED')
    for (const key of ['original_request', 'metadata', 'command_type']) {
      expect(second?.[key], key).to.deep.equal(first?.[key])
    }
    const [row] = await app.query<Readonly<Record<'vcpus' | 'seconds' | 'ttl' | 'most', unknown>>>(
      'requeued',
      `select vcpu_count as vcpus, max_run_seconds as seconds, presigned_ttl_seconds as ttl,
         reserved_bytes as most
       from commands where command_id = $1`,
      [again],
    )
    expect(row).to.include({ vcpus: 2, seconds: 60, ttl: 90 })
    expect(Number(row?.most)).to.be.greaterThan(0)
    expect((await admin('commands', 'requeue', 'nothing')).errors).to.match(/no command has the id/)
  })

  it('keeps each change as an action with the name that claims it, without addresses of accounts', async () => {
    const change = ['accounts', 'create', 'kept', '--no-key', '--email', 'kept@example.com']
    await json('--by=kubernetes-admin', ...change, '--by', 'anna@example.com')
    await json('accounts', 'show', 'kept')
    const [newest] = [await json('actions', '--limit', '1')].flat()
    expect(newest).to.deep.include({
      command: 'accounts create',
      claimed_by: 'anna@example.com',
      host: 'api-server-0',
      arguments: ['kept', '--no-key', '--email', '(address)'],
    })
    expect(field(field(await json('actions', '--limit', '1'), '0'), 'command')).to.equal(
      'accounts create',
    )
    await json('--by=', 'accounts', 'suspend', 'kept')
    const table = (await admin('--by=kubernetes-admin', 'actions', '--limit', '2')).output
    expect(table).to.match(/^\S+Z \(\d+ s ago\) +accounts suspend kept +- +api-server-0$/m)
    expect(table).to.match(/\(address\) +anna@example.com +api-server-0$/m)
    expect((await admin('actions', '--limit', '0')).errors).to.match(/--limit must be an integer/)
  })
})
