import { expect } from 'chai'
import { kubectl, untilReachable } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually, kubectlTimeout } from '../../steps/eventually.ts'
import { lostAttempts } from '../../steps/server-pods.ts'
import { warmRunnersWaiting, tiny, useWarmRunnerPool } from '../../steps/warm-runner-pool.ts'
import type { KubeObject } from '../../steps/warm-runner-pool.ts'
import { runsFor, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'

describe('runners that wait, in a cluster that takes them away', function () {
  this.timeout(600_000)
  const env = useEnvironment()
  const pool = useWarmRunnerPool(env, { min: 1, max: 1, vcpu: 8 })

  it('warm runners survive a deletion that was decided before they had a command', async () => {
    const { metadata } = await pool.untilWaiting()
    const { command_id } = await env.client.submit(runsFor(6))
    await eventually('the Job is that of the command', async () => {
      const [job] = await pool.list('jobs', `cloudffmpeg.dev/command-id=${command_id}`)
      return job?.metadata.name === metadata.name
    })
    // Another leader would retire it like this, which has not seen that a command has it.
    const refusal = await deleteJob(metadata).catch((error: unknown) => String(error))
    expect(refusal).to.match(/Conflict|the ResourceVersion in the precondition/)
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(await pool.ended(command_id)).to.include({ start: 'Warm' })
  })

  it('warm runners leave a node that is drained, without a replacement by their Job', async () => {
    const { metadata } = await pool.untilWaiting()
    const node = await nodeOf(metadata.name)
    const waiting = '--pod-selector=cloudffmpeg.dev/standby=waiting'
    try {
      const drain = ['drain', node, waiting, '--delete-emptydir-data', kubectlTimeout]
      expect(await env.kubectl(...drain)).to.match(/evicted/)
      const pods = await pool.list('pods', `job-name=${metadata.name}`)
      expect(pods.filter(({ status }) => status?.['phase'] === 'Running')).to.deep.equal([])
    } finally {
      await env.kubectl('uncordon', node)
    }
    await pool.untilWaiting(metadata.name)
    expect(await pool.run(tiny)).to.include({ status: 'SUCCESS', start: 'Warm' })
  })

  it('warm runners and servers leave a drained node, and its command is tried again at no cost', async () => {
    await pool.untilWaiting()
    const { command_id } = await env.client.submit({ ...runsFor(20), vcpu_count: 2 })
    await untilFfmpegRuns(env.client, command_id)
    const [job] = await eventually('its Job has its label', async () => {
      const jobs = await pool.list('jobs', `cloudffmpeg.dev/command-id=${command_id}`)
      return jobs.length === 1 && jobs
    })
    const node = await nodeOf(job?.metadata.name ?? '')
    const pods = '--pod-selector=app.kubernetes.io/name=cloud-ffmpeg'
    try {
      const flags = ['--delete-emptydir-data', '--ignore-daemonsets', kubectlTimeout]
      const output = await env.kubectl('drain', node, pods, ...flags)
      for (const server of ['api-server', 'operator']) {
        expect(output).to.match(new RegExp(`pod/cloud-ffmpeg-${server}-\\S+ evicted`))
      }
    } finally {
      await env.kubectl('uncordon', node)
    }
    for (const server of ['api-server', 'operator']) {
      const name = `deploy/cloud-ffmpeg-${server}`
      await env.kubectl('rollout', 'status', name, kubectlTimeout)
    }
    await untilReachable(env.cluster)
    const record = await untilEnd(env.client, command_id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 2 })
    const { metadata } = await pool.untilWaiting()
    expect(metadata.name).to.match(/^ffw-/)
  })

  it('warm runners leave commands to Jobs of their own while a ResourceQuota forbids them', async () => {
    const { metadata } = await pool.untilWaiting()
    // Room for a command of one vCPU, and none for the limits of a runner that waits.
    await withQuota({ 'limits.cpu': '4' }, async () => {
      await env.kubectl('delete', 'job', metadata.name)
      await eventually('the next one is refused', async () => {
        const events = await env.kubectl('get', 'events', ...failedCreates)
        return events.split('\n').some((line) => refusedPod('ffw-').test(line))
      })
      const run = await pool.run({ ...tiny, vcpu_count: 1 })
      expect(run).to.include({ status: 'SUCCESS', attempts: 1, start: 'Cold' })
    })
    // Kubernetes retries the creation of its pod after a minute only.
    await env.kubectl('delete', 'jobs', '-l', warmRunnersWaiting)
    await pool.untilWaiting(metadata.name)
  })

  // The last one: its node gets no command for a runner that waits for a minute.
  it('warm runners give a command to a Job of its own when a ResourceQuota forbids its size', async () => {
    await pool.untilWaiting()
    const before = await lostAttempts(env, 'NotResized')
    const commandId = await withQuota({ 'requests.cpu': '1m' }, async () => {
      const { command_id } = await env.client.submit({ ...runsFor(8), vcpu_count: 2 })
      await eventually('the Job of its own is refused a pod', async () => {
        const events = await env.kubectl('get', 'events', ...failedCreates)
        return events.split('\n').some((line) => refusedPod(`ffc-${command_id}-2`).test(line))
      })
      return command_id
    })
    const record = await untilEnd(env.client, commandId)
    expect(record).to.include({ status: 'SUCCESS', attempts: 2 })
    expect(await pool.ended(commandId)).to.include({ start: 'Cold' })
    expect(await lostAttempts(env, 'NotResized')).to.equal(before + 1)
  })

  const failedCreates = ['--field-selector', 'reason=FailedCreate', '-o', 'wide']

  function refusedPod(job: string): RegExp {
    return new RegExp(`"${job}.*exceeded quota`)
  }

  async function withQuota<T>(
    hard: Readonly<Record<string, string>>,
    work: () => Promise<T>,
  ): Promise<T> {
    const metadata = { name: 'warm-runners' }
    await env.apply({ apiVersion: 'v1', kind: 'ResourceQuota', metadata, spec: { hard } })
    try {
      await eventually('the quota is counted', async () => {
        const used = ['-o', 'jsonpath={.status.used}']
        return (await env.kubectl('get', 'resourcequota', 'warm-runners', ...used)) !== ''
      })
      return await work()
    } finally {
      await env.kubectl('delete', 'resourcequota', 'warm-runners')
    }
  }

  async function nodeOf(job: string): Promise<string> {
    const [pod] = await pool.list('pods', `job-name=${job}`)
    if (pod?.spec.nodeName === undefined) throw new Error(`the pod of ${job} is on no node`)
    return pod.spec.nodeName
  }

  function deleteJob({ name, uid, resourceVersion }: KubeObject['metadata']): Promise<string> {
    const path = `/apis/batch/v1/namespaces/${env.installed.namespace}/jobs/${name}`
    const options = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Background',
      preconditions: { uid, resourceVersion },
    }
    const args = ['delete', '--raw', path, '-f', '-']
    return kubectl(env.cluster, args, JSON.stringify(options))
  }
})
