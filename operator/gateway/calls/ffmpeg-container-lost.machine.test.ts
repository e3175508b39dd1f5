import { expect } from 'chai'
import { useGateway } from '../../../testing/support/operator/gateway.ts'
import { lost, progress } from '../messages.fixture.ts'

describe('a lost ffmpeg container', () => {
  const gateway = useGateway()

  it("records OUT_OF_MEMORY when the pod's status shows that the ffmpeg container was killed for memory", async () => {
    const { command, pod } = await gateway.claimed()
    gateway.pods.show(command.commandId, pod.podUid)
    const report = pod.post('/v1/ffmpeg-container-lost', lost)
    // Let the report arrive first: the status comes a second or two later on a real node.
    await pod.post('/v1/progress', progress)
    const killed = { state: 'terminated', exitCode: 0, reason: 'OOMKilled', message: '' } as const
    gateway.pods.show(command.commandId, pod.podUid, { ffmpeg: killed })
    expect((await report).body).to.deep.equal({
      kind: 'recorded',
      status: 'FAILED',
      errorStatus: 'OUT_OF_MEMORY',
    })
    const row = await gateway.store.findForReconcile(command.commandId)
    expect(row?.errorMessage).to.equal(
      'FFmpeg needed more than 2048 MB of memory; more vCPUs come with more memory',
    )
    expect(row?.steps[0]?.status).to.equal('FAILED')
  })

  it('returns `again` when the ffmpeg container ended for another reason', async () => {
    const { command, pod } = await gateway.claimed()
    const crashed = { state: 'terminated', exitCode: 1, reason: 'Error', message: '' } as const
    gateway.pods.show(command.commandId, pod.podUid, { ffmpeg: crashed })
    expect((await pod.post('/v1/ffmpeg-container-lost', lost)).body).to.deep.equal({
      kind: 'again',
    })
    expect((await gateway.store.findForReconcile(command.commandId))?.status).to.equal('PROCESSING')
  })
})
