import { expect } from 'chai'
import { useEnvironment } from '../../steps/environment.ts'
import { newAccount } from '../../steps/new-account.ts'
import { refused, submitAndWait } from '../../steps/submit-and-wait.ts'
import { kubectlTimeout } from '../../steps/eventually.ts'

describe('a plan’s limits', () => {
  const env = useEnvironment()

  it("a plan's limits refuse what would exceed the storage, until something is deleted", async () => {
    const { client } = await newAccount(env, 'small')
    const large = { filename: 'large.bin', size_bytes: 1_048_576 }
    const first = await client.initUpload(large)
    await client.initUpload(large)
    const full = await refused(client.initUpload(large))
    expect(full.status).to.equal(403)
    expect(full.detail).to.match(/^Storage quota exceeded: [\d.]+ of 2 MB used/)
    const submission = {
      input_files: {},
      output_files: { out_1: 'a.png' },
      ffmpeg_command: '-f lavfi -i testsrc2=size=64x64:duration=1 -frames:v 1 {{out_1}}',
    }
    expect((await refused(client.submit(submission))).detail).to.match(/^Storage quota exceeded/)
    await client.deleteFile(first.file_id)
    const record = await submitAndWait(client, submission)
    expect(record.status).to.equal('SUCCESS')
    const usage = await client.getUsage()
    const stored = record.output_files?.['out_1']?.size_mbytes ?? 0
    expect(usage.storage).to.deep.equal({
      used_mbytes: 1 + stored,
      reserved_mbytes: 0,
      limit_mbytes: 2,
    })
    expect(usage.processing.used_mbytes).to.equal(record.processing_quota_used)
  })

  it("a plan's limits hold over two replicas: of a burst just as many pass as the bucket has", async () => {
    await env.kubectl('scale', 'deploy/cloud-ffmpeg-api-server', '--replicas=2')
    await env.kubectl('rollout', 'status', 'deploy/cloud-ffmpeg-api-server', kubectlTimeout)
    try {
      const { apiKey } = await newAccount(env, 'small')
      const body = JSON.stringify({ filename: 'x.bin', size_bytes: 1 })
      const call = () =>
        fetch(`${env.installed.url}/v1/files/init-upload`, {
          method: 'POST',
          // A connection of its own, so that the replicas share them.
          headers: { 'x-api-key': apiKey, connection: 'close' },
          body,
        })
      const began = performance.now()
      const answers = await Promise.all(Array.from({ length: 40 }, call))
      const refills = Math.ceil(((performance.now() - began) / 60_000) * 10)
      const passed = answers.filter(({ status }) => status === 200)
      expect(passed.length).to.be.within(10, 10 + refills)
      const limited = answers.filter(({ status }) => status === 429)
      expect(limited.length + passed.length).to.equal(40)
      for (const answer of limited) {
        expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 6)
      }
      const [first] = limited
      expect(await first?.text()).to.match(/Rate limit exceeded: 10 submissions a minute on plan/)
    } finally {
      await env.kubectl('scale', 'deploy/cloud-ffmpeg-api-server', '--replicas=1')
    }
  })
})
