import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { admin, newAccount } from '../steps/new-account.ts'
import { refused, submitAndWait } from '../steps/submit-and-wait.ts'

const submission = {
  input_files: {},
  output_files: { out_1: 'a.png' },
  ffmpeg_command: '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}}',
}

describe('two accounts', () => {
  const env = useEnvironment()

  it('an account cannot see, use or delete what the other one has', async () => {
    const one = await newAccount(env, 'pro', 'staging')
    const other = await newAccount(env, 'pro')
    const record = await submitAndWait(one.client, submission)
    expect(record).to.include({ status: 'SUCCESS', environment_name: 'staging' })
    const file = record.output_files?.['out_1']
    const fileId = file?.file_id ?? ''
    const notFound = [
      () => other.client.getCommand(record.command_id),
      () => other.client.getCommandLogs(record.command_id),
      () => other.client.cancelCommand(record.command_id),
      () => other.client.getFile(fileId),
      () => other.client.deleteFile(fileId),
      () => other.client.deleteCommandFiles(record.command_id),
      () => other.client.bulkDeleteFiles({ file_ids: [fileId] }),
    ]
    for (const call of notFound) {
      expect((await refused(call())).status, call.toString()).to.equal(404)
    }
    expect(await other.client.listCommands()).to.deep.equal([])
    expect(await other.client.listFiles()).to.deep.equal([])

    // Public for every browser, yet no input of another account.
    expect((await fetch(file?.storage_url ?? '')).status).to.equal(200)
    const theft = await submitAndWait(other.client, {
      ...submission,
      input_files: { in_1: file?.storage_url ?? '' },
      ffmpeg_command: '-i {{in_1}} {{out_1}}',
    })
    expect(theft).to.include({ status: 'FAILED', error_status: 'UNREACHABLE_INPUT_FILE' })
  })

  it('accounts work with several keys, until one is revoked', async () => {
    const account = await newAccount(env, 'pro')
    const second = JSON.parse(await admin(env, 'keys', 'create', account.name)) as {
      key_id: string
      api_key: string
    }
    const call = () =>
      fetch(`${env.installed.url}/v1/commands`, { headers: { 'x-api-key': second.api_key } })
    expect((await call()).status).to.equal(200)
    await admin(env, 'keys', 'revoke', second.key_id)
    // A verified key is cached for five seconds.
    await eventually('the key is refused', async () => (await call()).status === 401)
    expect(await account.client.listCommands()).to.deep.equal([])
  })
})
