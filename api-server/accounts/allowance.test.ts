import { expect } from 'chai'
import { problemBody } from '../http/refusal-codes.ts'
import { claim } from '../../testing/support/api/outcomes.ts'
import { refusalOf } from '../checked-call.fixture.ts'
import { rejectionOf } from '../../testing/support/mocha.ts'
import { pro, useApp, submission, runPath, chainPath } from '../../testing/support/api/app.ts'
import { requireQuota } from './allowance.ts'
import { commitOf, newFile } from '../../testing/store-contract/fixtures.ts'
import { Refusal } from '../http/errors.ts'
import type { Answered } from '../checked-call.fixture.ts'
import type { Account } from '../../common/store/accounts.ts'

const mbyte = 1_048_576

describe('the allowance of an account', () => {
  const limits = { processingMbytes: 10, storageMbytes: 5, maxFileMbytes: 1 }
  const small = { ...pro, ...limits, chained: false, private: false }
  let accounts = 0
  const app = useApp({ plans: { pro, small: { ...small, webhooks: false } } })

  async function newAccount(): Promise<{ account: Account; key: string }> {
    accounts += 1
    const key = `key-of-small-${accounts}`
    return { account: await app.addAccount(`small-${accounts}`, 'small', key), key }
  }

  const submit = (key: string, change: object = {}): Promise<Answered> =>
    app.post(runPath, { ...submission, ...change }, { key })

  /** A command that ended with these bytes read and stored. */
  async function finish(account: Account, key: string, inputs: number, stored: number) {
    const commandId = await app.submit({}, { key })
    const { podUid } = await claim(app, commandId, account)
    const file = { ...newFile(commandId), sizeBytes: stored * 2, compressedBytes: stored }
    const commit = commitOf(commandId, podUid, { status: 'SUCCESS', files: [file] })
    const usage = { inputBytes: inputs, outputBytes: 0, ffmpegStarted: true, ffmpegRunSeconds: 1 }
    await app.store.commitOutcome({ ...commit, usage })
    return file.fileId
  }

  it('refuses uploads above the storage of the plan until a file is deleted', async () => {
    const { account, key } = await newAccount()
    await finish(account, key, 1, 5 * mbyte - 1)
    const fileId = await finish(account, key, 1, Math.round(0.3 * mbyte))
    expect(refusalOf(await submit(key))).to.deep.equal([
      403,
      'Storage quota exceeded: 5.3 of 5 MB used',
    ])
    const deletion = 'update files set deleted_at = now() where file_id = $1'
    await app.query('delete_one', deletion, [fileId])
    expect((await submit(key)).status).to.equal(200)
  })

  it('refuses commands above the monthly processing quota', async () => {
    const { account, key } = await newAccount()
    await finish(account, key, 8 * mbyte, 0)
    await finish(account, key, 2 * mbyte, 0)
    expect(refusalOf(await submit(key))).to.deep.equal([
      403,
      'Processing quota exceeded: 10 of 10 MB used this month',
    ])
  })

  it('refuses commands when used and reserved bytes reach the quota, and names both', async () => {
    const { account, key } = await newAccount()
    await finish(account, key, 9 * mbyte, 0)
    expect((await submit(key)).status).to.equal(200)
    expect(refusalOf(await submit(key))).to.deep.equal([
      403,
      'Processing quota exceeded: 9 of 10 MB used this month, 1 MB reserved by commands that have not ended',
    ])
  })

  it('counts the size of a new upload', async () => {
    const { account, key } = await newAccount()
    await finish(account, key, 0, 2 * mbyte)
    await requireQuota(app.store, account, small, { addBytes: 3 * mbyte })
    const error = await rejectionOf(
      requireQuota(app.store, account, small, {
        addBytes: 3 * mbyte + 1,
      }),
    )
    expect(error instanceof Refusal && error.answer).to.deep.include({
      status: 403,
      body: problemBody(
        403,
        'Storage quota exceeded: 2 of 5 MB used, the upload needs 3 MB',
        'quota_exceeded',
      ),
    })
  })

  it('refuses features that the plan does not include', async () => {
    const { key } = await newAccount()
    const ffmpeg_commands = ['-f lavfi -i testsrc=d=1 {{out_1}}']
    const chain = { input_files: {}, output_files: { out_1: 'a.mp4' }, ffmpeg_commands }
    const chained = await app.post(chainPath, chain, { key })
    expect([chained, await submit(key, { is_private: true })].map(refusalOf)).to.deep.equal([
      [403, "Plan 'small' does not include chained commands"],
      [403, "Plan 'small' does not include private files"],
    ])
    const refused = await submit(key, { webhook_url: 'https://app.example/hook' })
    expect(refusalOf(refused)).to.deep.equal([403, "Plan 'small' does not include webhooks"])
  })

  it('lets a suspended account read, but begin nothing new', async () => {
    const { account, key } = await newAccount()
    await app.suspend(account.name)
    expect(refusalOf(await submit(key))).to.deep.equal([
      403,
      'The account is suspended; ask the administrator to resume it',
    ])
    expect((await app.call('/v1/commands', { key })).status).to.equal(200)
    expect((await app.call('/v1/usage', { key })).status).to.equal(200)
  })
})
