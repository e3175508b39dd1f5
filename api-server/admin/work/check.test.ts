import { expect } from 'chai'
import { useApp } from '../../../testing/support/api/app.ts'
import { field } from '../../checked-call.fixture.ts'
import { fail, start, succeed } from '../../../testing/support/api/outcomes.ts'
import { administrationOf } from '../admin.fixture.ts'
import { newId } from '../../../testing/store-contract/fixtures.ts'

describe('the check of the figures that the database keeps', () => {
  const app = useApp()
  const { admin } = administrationOf(app)
  const differences = async (...args: string[]) => {
    const { code, output, errors } = await admin('check', ...args, '--json')
    expect(errors).to.equal('')
    const found = [field(JSON.parse(output), 'differences')].flat()
    expect(code).to.equal(found.length === 0 ? 0 : 1)
    return found
  }

  it('finds no difference after commands of all ends', async () => {
    await succeed(app, await app.submit())
    await fail(app, await app.submit())
    await app.submit()
    expect(await differences()).to.deep.equal([])
    expect((await admin('check')).output).to.match(/^The figures of 1 accounts are those of their/)
  })

  it('finds bytes and reservations that differ from their rows', async () => {
    const { accountId, name } = await app.addAccount('damaged', 'pro', 'damaged-key')
    await app.submit({}, { key: 'damaged-key' })
    for (const [table, columns, values] of [
      ['usage_changes', 'bytes', '5'],
      ['reservation_changes', 'bytes, output_bytes', '9, 9'],
    ]) {
      await app.query(
        `damage_${table}`,
        `insert into ${table} (account_id, ${columns}) values ($1, ${values})`,
        [accountId],
      )
    }
    expect(await differences('--account', app.account.name)).to.deep.equal([])
    expect(await differences()).to.deep.equal([
      { account: name, what: 'stored bytes', kept: 5, counted: 0 },
      { account: name, what: 'reserved bytes', kept: 9, counted: 0 },
    ])
    expect((await admin('check')).output).to.match(/^damaged +stored bytes +5 +0$/m)
  })

  it('shows objects without a row that were recorded, which do not count as a difference', async () => {
    const { accountId } = app.account
    const orphan = { accountId, ownerId: newId(), attempt: null, objects: 3, bytes: 1_000 }
    await app.store.recordOrphans([orphan])
    const { code, output } = await admin('check', '--account', app.account.name)
    expect(code).to.equal(0)
    expect(output).to.match(
      /are those of their rows\.\n\nThe last 'check --restore' has recorded 3 objects \(1000 bytes\) of 1 commands or files without a row; .* found them\.$/,
    )
    await app.query('failing', 'update orphans set sweep_retry_at = now() where owner_id = $1', [
      orphan.ownerId,
    ])
    const shown = JSON.parse((await admin('check', '--json')).output) as object
    expect(shown).to.have.deep.property('recorded_orphans', {
      owners: 1,
      objects: 3,
      bytes: 1_000,
      failing: 1,
    })
    await app.store.forgetOrphan(orphan)
    expect((await admin('check', '--account', app.account.name)).output).to.not.include('recorded')
  })

  it('finds commands that hold vCPUs long after their end', async () => {
    const id = await app.submit()
    await start(app, id)
    await app.query(
      'ended',
      `update commands set status = 'FAILED', error_status = 'CANCELLED', error_message = 'ended',
         stage = null, finished_at = now() - interval '11 minutes' where command_id = $1`,
      [id],
    )
    const found = await differences('--account', app.account.name)
    const vcpus = found.map((each) => String(field(each, 'what'))).join('\n')
    expect(vcpus).to.match(new RegExp(`^vCPUs of ${id}, which ended at `, 'm'))
  })
})
