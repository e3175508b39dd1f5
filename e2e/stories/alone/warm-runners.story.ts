import { expect } from 'chai'
import { helmUpgrade, merge } from '../../installation/install.ts'
import { scaled } from '../../../testing/scale.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { waitingRunners } from '../../steps/server-pods.ts'
import { runsFor, submitAndWait, untilEnd } from '../../steps/submit-and-wait.ts'

interface KubeObject {
  readonly metadata: {
    readonly name: string
    readonly labels?: Record<string, string>
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[]
  }
  readonly spec: {
    readonly activeDeadlineSeconds?: number
    readonly containers?: readonly {
      readonly name: string
      readonly resources: { readonly requests: Record<string, string> }
    }[]
  }
  readonly status?: Record<string, unknown>
}

/** Three minutes in which nothing else happens. */
const waitsForAge = scaled({ smoke: false, full: true })
const inPool = 'cloudffmpeg.dev/pool'
const standbysWaiting = `${inPool},cloudffmpeg.dev/standby=waiting`
const tiny = {
  input_files: {},
  output_files: { out_1: 'tiny.png' },
  ffmpeg_command: '-f lavfi -i color=size=64x64 -frames:v 1 {{out_1}}',
  vcpu_count: 2,
}

describe('runners that wait for commands', function () {
  this.timeout(600_000)
  const env = useEnvironment()

  before(async () => {
    const warm = { min: 1, max: 1, vcpu: 8, maxAgeSeconds: 60 }
    await upgrade({ runner: { warm } })
    await untilWaiting()
  })

  after(async () => {
    await upgrade({})
    await eventually(
      'the pool is empty',
      async () => (await list('jobs', standbysWaiting)).length === 0,
    )
  })

  it('take a command, which then starts Warm, and the pool refills', async () => {
    const [waiting] = await list('jobs', standbysWaiting)
    const { command_id } = await env.client.submit(tiny)
    const record = await untilEnd(env.client, command_id)
    expect(record.status, record.error_message ?? '').to.equal('SUCCESS')
    expect(await resource(command_id)).to.include({
      start: 'Warm',
      jobName: waiting?.metadata.name,
      attempts: 1,
    })
    await untilWaiting(waiting?.metadata.name)
  })

  it('become what a runner created for the command is', async () => {
    await untilWaiting()
    const { command_id } = await env.client.submit({ ...runsFor(8), vcpu_count: 2 })
    const ofCommand = `cloudffmpeg.dev/command-id=${command_id}`
    const pod = await eventually('the pod has the size of its command', async () => {
      const [found] = await list('pods', ofCommand)
      return found !== undefined && requestOf(found) === requestOfCold ? found : null
    })
    expect(pod.metadata.name).to.match(/^ffw-/)
    expect(pod.spec.activeDeadlineSeconds).to.be.a('number')
    const [job] = await list('jobs', ofCommand)
    expect(job?.metadata.ownerReferences?.[0]).to.include({
      ...{ kind: 'FfmpegCommand', name: `ffc-${command_id}` },
    })
    await eventually('kubectl shows that it started warm', async () => {
      return /Warm/.test(await env.kubectl('get', 'ffc', `ffc-${command_id}`, '-o', 'wide'))
    })
    expect((await untilEnd(env.client, command_id)).status).to.equal('SUCCESS')
    const bound = ['--field-selector', 'reason=StandbyBound']
    const events = await env.kubectl('get', 'events', ...bound, '-o', 'json')
    expect(events).to.include(`ffc-${command_id}`)
  })

  it('are replaced when their Job is deleted', async () => {
    const waiting = await untilWaiting()
    await env.kubectl('delete', 'job', waiting.metadata.name)
    await untilWaiting(waiting.metadata.name)
    expect((await submitAndWait(env.client, tiny)).status).to.equal('SUCCESS')
  })

  it('leave commands beyond them to Jobs of their own', async () => {
    await untilWaiting()
    const submitted = await Promise.all([env.client.submit(tiny), env.client.submit(tiny)])
    for (const { command_id } of submitted) {
      expect((await untilEnd(env.client, command_id)).status).to.equal('SUCCESS')
    }
    const starts = await Promise.all(
      submitted.map(async ({ command_id }) => (await resource(command_id))['start']),
    )
    expect(starts).to.have.members(['Cold', 'Warm'])
  })

  it('lose their command to a Job of its own when the pod is deleted', async () => {
    await untilWaiting()
    const { command_id } = await env.client.submit({ ...runsFor(10), vcpu_count: 1 })
    const pod = await eventually('the pod has its command', async () => {
      const [found] = await list('pods', `cloudffmpeg.dev/command-id=${command_id}`)
      return found
    })
    await env.kubectl('delete', 'pod', pod.metadata.name, '--wait=false')
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 2 })
    expect(await resource(command_id)).to.include({
      start: 'Cold',
      jobName: `ffc-${command_id}-2`,
    })
  })

  it('are replaced by those of another image or size', async () => {
    const before = await untilWaiting()
    await upgrade({ runner: { warm: { min: 1, max: 1, vcpu: 4, maxAgeSeconds: 60 } } })
    await untilWaiting(before.metadata.name)
    const left = await eventually('one of them is left', async () => {
      const jobs = await list('jobs', standbysWaiting)
      return jobs.length === 1 && jobs
    })
    expect(left[0]?.metadata.labels?.[inPool]).to.not.equal(before.metadata.labels?.[inPool])
    expect((await submitAndWait(env.client, tiny)).status).to.equal('SUCCESS')
  })

  it('are gone without an operator after twice their age', async function () {
    if (!waitsForAge) return this.skip()
    await untilWaiting()
    await env.kubectl('scale', 'deploy/cloud-ffmpeg-operator', '--replicas=0')
    await eventually(
      'they end without an operator',
      async () => (await list('jobs', standbysWaiting)).length === 0,
      300,
    )
    await env.kubectl('scale', 'deploy/cloud-ffmpeg-operator', '--replicas=1')
    await untilWaiting()
  })

  /** Of two vCPUs, at `runner.cpuRequestPerVcpu` 0.02 of this installation. */
  const requestOfCold = '40m'

  /** The Job of one that requests a command, other than the given. */
  async function untilWaiting(other?: string): Promise<KubeObject> {
    return eventually('a runner waits', async () => {
      const jobs = await list('jobs', standbysWaiting)
      const job = jobs.find(({ metadata }) => metadata.name !== other)
      return (await waitingRunners(env)) > 0 && job
    })
  }

  async function upgrade(changes: object): Promise<void> {
    const { namespace, values } = env.installed
    await helmUpgrade(env.cluster, namespace, merge(values, { ...changes }))
  }

  async function list(kind: 'jobs' | 'pods', selector: string): Promise<readonly KubeObject[]> {
    const text = await env.kubectl('get', kind, '-l', selector, '-o', 'json')
    return (JSON.parse(text) as { items: readonly KubeObject[] }).items
  }

  async function resource(commandId: string): Promise<Record<string, unknown>> {
    return eventually('its resource shows the end', async () => {
      const text = await env.kubectl('get', 'ffc', `ffc-${commandId}`, '-o', 'json')
      const { status = {} } = JSON.parse(text) as KubeObject
      return (status['state'] === 'SUCCESS' || status['state'] === 'FAILED') && status
    })
  }
})

function requestOf({ spec }: KubeObject): string | undefined {
  return spec.containers?.find(({ name }) => name === 'ffmpeg')?.resources.requests['cpu']
}
