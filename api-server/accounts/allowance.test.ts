import { expect } from 'chai'
import { pro, startTestApp, submission } from '../app.fixture.ts'
import { checkedCall, field } from '../checked-call.fixture.ts'
import { requireQuota } from './allowance.ts'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { Refusal } from '../http/errors.ts'
import type { TestApp } from '../app.fixture.ts'
import type { Answered } from '../checked-call.fixture.ts'
import type { Account } from '../../common/store/accounts.ts'
import { admitWaiting } from '../../testing/support/admit-waiting.ts'

const mbyte = 1_048_576

describe('the allowance of an account', () => {
  const small = { ...pro, processingMbytes: 10, storageMbytes: 5, chained: false, private: false }
  let app: TestApp
  let accounts = 0
  before(async () => {
    app = await startTestApp({ plans: { pro, small: { ...small, webhooks: false } } })
  })
  after(() => app.close())

  async function newAccount(): Promise<{ account: Account; key: string }> {
    accounts += 1
    const key = `key-of-small-${accounts}`
    return { account: await app.addAccount(`small-${accounts}`, 'small', key), key }
  }

  const submit = (key: string, change: object = {}): Promise<Answered> =>
    checkedCall(app.url, '/v1/run-ffmpeg-command', {
      method: 'POST',
      key,
      body: { ...submission, ...change },
    })
  const detailOf = ({ status, body }: Answered) => [status, field(body, 'detail')]

  /** A command that ended with these bytes read and stored. */
  async function finish({ accountId }: Account, key: string, inputs: number, stored: number) {
    const commandId = String(field((await submit(key)).body, 'command_id'))
    await app.store.markDispatched(commandId, `uid-${commandId}`)
    await admitWaiting(app.store, accountId)
    await app.store.claimAttempt({ commandId, round: 1, podUid: 'pod-1' })
    const file = { ...newFile(commandId), sizeBytes: stored * 2, compressedBytes: stored }
    const commit = commitOf(commandId, 'pod-1', { status: 'SUCCESS', files: [file] })
    const usage = { inputBytes: inputs, outputBytes: 0, ffmpegStarted: true, ffmpegRunSeconds: 1 }
    await app.store.commitOutcome({ ...commit, usage })
    return file.fileId
  }

  it('refuses uploads above the storage of the plan until a file is deleted', async () => {
    const { account, key } = await newAccount()
    await finish(account, key, 1, 5 * mbyte - 1)
    const fileId = await finish(account, key, 1, Math.round(0.3 * mbyte))
    expect(detailOf(await submit(key))).to.deep.equal([
      403,
      'Storage quota exceeded: 5.3 of 5 MB used',
    ])
    await app.database.database.query(
      'delete_one',
      'update files set deleted_at = now() where file_id = $1',
      [fileId],
    )
    expect((await submit(key)).status).to.equal(200)
  })

  it('refuses commands above the monthly processing quota', async () => {
    const { account, key } = await newAccount()
    await finish(account, key, 10 * mbyte - 1, 0)
    expect((await submit(key)).status).to.equal(200)
    await finish(account, key, 1, 0)
    expect(detailOf(await submit(key))).to.deep.equal([
      403,
      'Processing quota exceeded: 10 of 10 MB used this month',
    ])
  })

  it('counts the size of a new upload', async () => {
    const { account, key } = await newAccount()
    await finish(account, key, 0, 2 * mbyte)
    await requireQuota(app.store, account, small, { addBytes: 3 * mbyte })
    const error: unknown = await requireQuota(app.store, account, small, {
      addBytes: 3 * mbyte + 1,
    }).catch((reason: unknown) => reason)
    expect(error instanceof Refusal && error.answer).to.deep.include({
      status: 403,
      body: { detail: 'Storage quota exceeded: 2 of 5 MB used, the upload needs 3 MB' },
    })
  })

  it('refuses features that the plan does not include', async () => {
    const { key } = await newAccount()
    const chain = {
      input_files: {},
      output_files: { out_1: 'a.mp4' },
      ffmpeg_commands: ['-f lavfi -i testsrc=d=1 {{out_1}}'],
    }
    const chained = await checkedCall(app.url, '/v1/run-chained-ffmpeg-commands', {
      method: 'POST',
      key,
      body: chain,
    })
    expect([chained, await submit(key, { is_private: true })].map(detailOf)).to.deep.equal([
      [403, "Plan 'small' does not include chained commands"],
      [403, "Plan 'small' does not include private files"],
    ])
    const refused = await submit(key, { webhook_url: 'https://app.example/hook' })
    expect(detailOf(refused)).to.deep.equal([403, "Plan 'small' does not include webhooks"])
  })

  it('lets a suspended account read, but begin nothing new', async () => {
    const { account, key } = await newAccount()
    await app.database.database.query(
      'suspend',
      'update accounts set suspended = true where account_id = $1',
      [account.accountId],
    )
    expect(detailOf(await submit(key))).to.deep.equal([403, 'The account is suspended'])
    expect((await checkedCall(app.url, '/v1/commands', { key })).status).to.equal(200)
    expect((await checkedCall(app.url, '/v1/usage', { key })).status).to.equal(200)
  })
})
