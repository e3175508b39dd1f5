import { expect } from 'chai'
import { newId } from '../../../testing/store-contract/fixtures.ts'
import { useGateway } from '../../../testing/support/operator/gateway.ts'
import { success } from '../messages.fixture.ts'

describe('outputs above the storage quota', () => {
  const gateway = useGateway()
  const mbyte = 1_048_576

  /** A running command of an account that may store 1 MB, and that reserves some of it. */
  async function running(mostReservedBytes: number) {
    const accountId = newId()
    await gateway.store.ensureAccount({ accountId, name: `a${accountId}`, plan: 'tiny' })
    const { command, pod } = await gateway.claimed({ accountId, mostReservedBytes })
    const ask = (path: string, sizeBytes: number) =>
      pod.post('/v1/uploads', {
        files: [{ path, sizeBytes, contentType: 'video/mp4', attachment: false }],
      })
    return { pod, ask, record: () => gateway.store.findCommand(accountId, command.commandId) }
  }

  it('outputs above the quota end a command before they are stored, above limit and own reservation', async () => {
    const { ask, record } = await running(mbyte)
    expect((await ask('fits.mp4', 2 * mbyte)).status).to.equal(200)
    const refused = await ask('large.mp4', 2 * mbyte + 1_000_000)
    expect([refused.status, refused.body]).to.deep.equal([
      410,
      { status: 'FAILED', errorStatus: 'QUOTA_EXCEEDED' },
    ])
    const { errorMessage, steps } = (await record()) ?? {}
    expect(errorMessage).to.equal('The outputs need 3 MB, 2 MB of storage are left')
    expect(
      steps?.map(({ status }) => status),
      'the record keeps its steps',
    ).to.deep.equal(['SKIPPED'])
  })

  it('outputs above the quota end a command at its result when other files have filled the storage', async () => {
    const { pod, ask, record } = await running(1_000)
    const [output] = success.outcome.files
    const objects = []
    for (const path of ['1.mp4', '2.mp4']) {
      const { body } = await ask(path, 700_000)
      const { grants } = body as { grants: [{ url: string; headers: Record<string, string> }] }
      const [{ url, headers }] = grants
      const put = await fetch(url, { method: 'PUT', headers, body: Buffer.alloc(700_000) })
      const etag = (put.headers.get('etag') ?? '').replaceAll('"', '')
      objects.push({ path, sizeBytes: 700_000, etag })
    }
    const files = objects.map(({ path, sizeBytes }) => ({ ...output, path, sizeBytes }))
    const answer = await pod.post('/v1/result', {
      ...success,
      outcome: { status: 'SUCCESS', files, objects },
    })
    expect(answer.body).to.include({ status: 'FAILED', errorStatus: 'QUOTA_EXCEEDED' })
    const { errorMessage, processingBytes } = (await record()) ?? {}
    expect(errorMessage).to.equal('The outputs need 1.3 MB, 1 MB of storage are left')
    // FFmpeg ran, so its inputs are charged.
    expect(processingBytes).to.equal(success.usage.inputBytes)
  })
})
