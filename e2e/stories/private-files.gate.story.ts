import { expect } from 'chai'
import { useEnvironment } from '../steps/environment.ts'
import { eventually } from '../steps/eventually.ts'
import { newAccount } from '../steps/new-account.ts'
import { refused, submitAndWait } from '../steps/submit-and-wait.ts'

const submission = {
  input_files: {},
  output_files: { out_1: 'secret.png' },
  ffmpeg_command: '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}}',
  is_private: true,
}

describe('a private output', () => {
  const env = useEnvironment()

  it('opens by a presigned URL only, and only as long as that is good for', async () => {
    const record = await submitAndWait(env.client, submission)
    expect(record.error_message).to.equal(null)
    const plain = record.output_files?.['out_1']
    expect(plain?.is_private).to.equal(true)
    expect((await fetch(plain?.storage_url ?? '')).status).to.equal(403)

    const signed = async (seconds: number) => {
      const file = await env.client.getFile(plain?.file_id ?? '', {
        presigned_ttl_seconds: seconds,
      })
      return file.storage_url ?? ''
    }
    const open = await fetch(await signed(60))
    expect([open.status, (await open.arrayBuffer()).byteLength > 100]).to.deep.equal([200, true])
    const short = await signed(2)
    expect((await fetch(short)).status).to.equal(200)
    await eventually('the URL has expired', async () => (await fetch(short)).status === 403)

    const next = await submitAndWait(env.client, {
      input_files: { in_1: plain?.storage_url ?? '' },
      output_files: { out_1: 'copy.png' },
      ffmpeg_command: '-i {{in_1}} {{out_1}}',
    })
    expect(next.error_message).to.equal(null)
  })

  it('a private output is refused on a plan without it', async () => {
    const { client } = await newAccount(env, 'free')
    expect(await refused(client.submit(submission))).to.include({ status: 403 })
  })
})
