import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { admin, newAccount } from '../steps/new-account.ts'
import { refused, untilEnd } from '../steps/submit-and-wait.ts'
import type { NewAccount } from '../steps/new-account.ts'

const submission = {
  input_files: {},
  output_files: { out_1: 'a.png' },
  ffmpeg_command: '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}}',
  vcpu_count: 1,
}
const count = 50

interface Queue {
  readonly running: number
}

describe('an administrator', () => {
  const env = useEnvironment()
  let account: NewAccount
  let ids: string[]

  it('pauses an account in the middle of fifty commands: what runs ends, and none starts', async () => {
    account = await newAccount(env, 'unlimited')
    await admin(env, 'limits', 'set', account.name, 'vcpuTotal=2')
    ids = await Promise.all(
      Array.from({ length: count }, async () => {
        const { command_id: id } = await account.client.submit(submission)
        return id
      }),
    )
    await Promise.race(ids.map((id) => untilEnd(account.client, id)))
    await admin(env, 'pause', 'account', account.name, '--why', 'the invoice is open')
    const waiting = await eventually('nothing of the account runs', async () => {
      const [queue] = JSON.parse(await admin(env, 'queue', '--account', account.name)) as Queue[]
      return queue?.running === 0 && queue
    })
    expect(waiting).to.include({ queue_reason: 'PAUSED' })
    const records = await account.client.listCommands({ limit: 100 })
    const numberOf = (status: string) => records.filter((one) => one.status === status).length
    expect(numberOf('SUCCESS')).to.be.greaterThan(0)
    expect(numberOf('QUEUED')).to.be.greaterThan(0)
    expect(numberOf('SUCCESS') + numberOf('QUEUED')).to.equal(count)
    await admin(env, 'resume', 'account', account.name)
  })

  it('drains it: all that was accepted ends, and nothing more is accepted', async () => {
    const drained: unknown = JSON.parse(await admin(env, 'drain', 'account', account.name))
    expect(drained).to.include({ suspended: true, unfinished: 0 })
    const records = await Promise.all(ids.map((id) => account.client.getCommand(id)))
    for (const record of records) expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect((await refused(account.client.submit(submission))).status).to.equal(403)
  })

  it('finds them in the usage, and the figures of the database as they should be', async () => {
    const [used] = JSON.parse(await admin(env, 'usage', '--account', account.name)) as object[]
    expect(used).to.include({ succeeded: count, failed: 0, cancelled: 0 })
    const check: unknown = JSON.parse(await admin(env, 'check', '--account', account.name))
    const none = { owners: 0, objects: 0, bytes: 0, failing: 0 }
    expect(check).to.deep.equal({ accounts: 1, differences: [], recorded_orphans: none })
    const bundle: unknown = JSON.parse(await admin(env, 'support-bundle'))
    expect(bundle).to.have.property('metrics').that.includes('cloudffmpeg_http_requests_total')
  })
})
