import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import {
  inPool,
  warmRunnersWaiting,
  tiny,
  useWarmRunnerPool,
} from '../../steps/warm-runner-pool.ts'
import type { KubeObject } from '../../steps/warm-runner-pool.ts'
import { runsFor, untilEnd } from '../../steps/submit-and-wait.ts'

/** Three minutes in which nothing else happens. */
const waitsForAge = scaled({ smoke: false, full: true })

describe('runners that wait for commands', function () {
  this.timeout(600_000)
  const env = useEnvironment()

  const pool = useWarmRunnerPool(env, { min: 1, max: 1, vcpu: 8, maxAgeSeconds: 60 })

  it('warm runners take a command, which then starts Warm, and the pool refills', async () => {
    const [waiting] = await pool.list('jobs', warmRunnersWaiting)
    const run = await pool.run(tiny)
    expect(run.status, run.error_message ?? '').to.equal('SUCCESS')
    const jobName = waiting?.metadata.name
    expect(run).to.include({ start: 'Warm', jobName, attempts: 1 })
    await pool.untilWaiting(waiting?.metadata.name)
  })

  it('warm runners become what a runner created for the command is', async () => {
    await pool.untilWaiting()
    const { command_id } = await env.client.submit({ ...runsFor(8), vcpu_count: 2 })
    const ofCommand = `cloudffmpeg.dev/command-id=${command_id}`
    const pod = await eventually('the pod has the size of its command', async () => {
      const [found] = await pool.list('pods', ofCommand)
      return found !== undefined && requestOf(found) === requestOfCold ? found : null
    })
    expect(pod.metadata.name).to.match(/^ffw-/)
    expect(pod.spec.activeDeadlineSeconds).to.be.a('number')
    const [job] = await pool.list('jobs', ofCommand)
    expect(job?.metadata.ownerReferences?.[0]).to.include({
      kind: 'FfmpegCommand',
      name: `ffc-${command_id}`,
    })
    await eventually('kubectl shows that it started warm', async () => {
      return /Warm/.test(await env.kubectl('get', 'ffc', `ffc-${command_id}`, '-o', 'wide'))
    })
    expect((await untilEnd(env.client, command_id)).status).to.equal('SUCCESS')
    const bound = ['--field-selector', 'reason=StandbyBound']
    const events = await env.kubectl('get', 'events', ...bound, '-o', 'json')
    expect(events).to.include(`ffc-${command_id}`)
  })

  it('warm runners are replaced when their Job is deleted', async () => {
    const waiting = await pool.untilWaiting()
    await env.kubectl('delete', 'job', waiting.metadata.name)
    await pool.untilWaiting(waiting.metadata.name)
    expect((await pool.run(tiny)).status).to.equal('SUCCESS')
  })

  it('warm runners leave commands beyond them to Jobs of their own', async () => {
    await pool.untilWaiting()
    const submitted = await Promise.all([env.client.submit(tiny), env.client.submit(tiny)])
    for (const { command_id } of submitted) {
      expect((await untilEnd(env.client, command_id)).status).to.equal('SUCCESS')
    }
    const starts = await Promise.all(
      submitted.map(async ({ command_id }) => (await pool.ended(command_id))['start']),
    )
    expect(starts).to.have.members(['Cold', 'Warm'])
  })

  it('warm runners lose their command to a Job of its own when the pod is deleted', async () => {
    await pool.untilWaiting()
    const { command_id } = await env.client.submit({ ...runsFor(10), vcpu_count: 1 })
    const pod = await eventually('the pod has its command', async () => {
      const [found] = await pool.list('pods', `cloudffmpeg.dev/command-id=${command_id}`)
      return found
    })
    await env.kubectl('delete', 'pod', pod.metadata.name, '--wait=false')
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 2 })
    expect(await pool.ended(command_id)).to.include({
      start: 'Cold',
      jobName: `ffc-${command_id}-2`,
    })
  })

  it('warm runners are replaced by those of another image or size', async () => {
    const before = await pool.untilWaiting()
    await pool.upgrade({ runner: { warm: { min: 1, max: 1, vcpu: 4, maxAgeSeconds: 60 } } })
    await pool.untilWaiting(before.metadata.name)
    const left = await eventually('one of them is left', async () => {
      const jobs = await pool.list('jobs', warmRunnersWaiting)
      return jobs.length === 1 && jobs
    })
    expect(left[0]?.metadata.labels?.[inPool]).to.not.equal(before.metadata.labels?.[inPool])
    expect((await pool.run(tiny)).status).to.equal('SUCCESS')
  })

  if (waitsForAge) {
    it('warm runners are gone without an operator after twice their age', async () => {
      await pool.untilWaiting()
      await env.kubectl('scale', 'deploy/cloud-ffmpeg-operator', '--replicas=0')
      await eventually(
        'they end without an operator',
        async () => (await pool.list('jobs', warmRunnersWaiting)).length === 0,
        300,
      )
      await env.kubectl('scale', 'deploy/cloud-ffmpeg-operator', '--replicas=1')
      await pool.untilWaiting()
    })
  }

  /** CPU request of two vCPUs, at `runner.cpuRequestPerVcpu` 0.02 of this installation. */
  const requestOfCold = '40m'
})

function requestOf({ spec }: KubeObject): string | undefined {
  return spec.containers?.find(({ name }) => name === 'ffmpeg')?.resources.requests['cpu']
}
