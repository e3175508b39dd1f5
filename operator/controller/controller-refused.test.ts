import { expect } from 'chai'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { useWorld } from './use-world.fixture.ts'
import { namespace } from './world-parts.fixture.ts'

const resource = customResourceName(commandId)
const idAt = (index: number) => `0197a3f1-7c4e-7d11-9a55-0242ac13000${index}`
const denials = {
  'a ValidatingAdmissionPolicy': {
    status: 422,
    reason: 'Invalid',
    message: "ValidatingAdmissionPolicy 'deny' with binding 'all' denied request: not now",
  },
  'a webhook without a code': {
    status: 400,
    reason: 'BadRequest',
    message: 'admission webhook "validate.kyverno.svc" denied the request: not now',
  },
  'a webhook that is away': {
    status: 500,
    reason: 'InternalError',
    message: 'Internal error occurred: failed calling webhook "a.b": connection refused',
  },
}

describe('controller, where the cluster refuses runners for a while', () => {
  const world = useWorld()
  const recordOf = (id: string) => world.store.findCommand(world.accountId, id)

  for (const [what, answer] of Object.entries(denials)) {
    it(`runs the commands in their order after the refusals of ${what} have ended`, async () => {
      let isDenied = true
      world.server.faults.onRequest = ({ verb, kind }) =>
        isDenied && verb === 'create' && kind === 'Job' ? { answer } : null
      const ids = [1, 2, 3].map(idAt)
      for (const id of ids) await world.submit(id)
      await world.clock.advance(20_000)
      expect(world.jobNames()).to.deep.equal([])
      expect((await recordOf(idAt(1)))?.queueReason).to.equal('POLICY')
      expect((await recordOf(idAt(3)))?.queueReason).to.equal('CAPACITY')
      const shown = world.status(customResourceName(idAt(1)))
      expect(shown?.reason).to.equal('Forbidden')
      expect(shown?.message).to.include(answer.message)
      expect(world.events).to.include('Forbidden')
      expect(await world.metrics()).to.match(/waiting_commands\{reason="POLICY"\} 1/)
      await world.clock.advance(580_000)
      isDenied = false
      for (const id of ids) {
        await world.clock.runUntil(() => world.jobNames().some((name) => name.includes(id)), 60_000)
        const name = world.jobNames().find((each) => each.includes(id)) ?? ''
        const pod = await world.pod(name)
        const jobGeneration = Number(name.split('-').at(-1))
        await world.clock.advance(1_000)
        await world.store.claimAttempt({ commandId: id, jobGeneration, podUid: pod.uid })
        await world.succeed(id, pod.uid)
        pod.complete()
        await world.clock.advance(5_000)
        expect((await world.rowOf(id)).status).to.equal('SUCCESS')
      }
    })
  }

  it('says within 15 s in record, condition and Event why the pod of a Job is refused', async () => {
    await world.submit(commandId)
    await world.clock.advance(1_000)
    const job = world.server.cluster.get('Job', namespace, jobName(commandId, 1))
    const note = 'Error creating: pods "x" is forbidden: maximum cpu usage per Container is 500m'
    for (const [index, text] of ['an older one', note].entries()) {
      world.server.cluster.create('Event', namespace, {
        metadata: { name: `refused-${index}` },
        reason: 'FailedCreate',
        note: text,
        regarding: { uid: job?.metadata.uid },
        deprecatedLastTimestamp: `2026-05-01T10:00:0${index}Z`,
      })
    }
    await world.clock.advance(14_000)
    expect(world.status(resource)).to.include({ reason: 'PodRefused', message: note })
    expect((await recordOf(commandId))?.queueReason).to.equal('QUOTA_OF_CLUSTER')
    expect(world.events).to.include('PodRefused')
  })

  it('returns later commands of an account whose command is refused, with the words', async () => {
    const answer = { status: 403, reason: 'Forbidden', message: 'exceeded quota: jobs' }
    world.server.faults.next({ verb: 'create', kind: 'Job' }, { answer }, Infinity)
    for (const id of [1, 2, 3].map(idAt)) await world.submit(id)
    await world.clock.advance(20_000)
    expect(await world.rowOf(idAt(1))).to.include({ admitted: true })
    for (const id of [2, 3].map(idAt)) {
      expect(await world.rowOf(id)).to.include({ admitted: false, attempts: 0, status: 'QUEUED' })
      expect(world.status(customResourceName(id))?.message).to.include('exceeded quota: jobs')
    }
  })
})
