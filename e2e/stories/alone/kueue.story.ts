import { expect } from 'chai'
import { jobName } from '../../../common/domain/resource-names.ts'
import { helmUpgrade, merge } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { startKueue } from '../../steps/kueue.ts'
import type { Kueue } from '../../steps/kueue.ts'
import { newAccount } from '../../steps/new-account.ts'
import type { NewAccount } from '../../steps/new-account.ts'
import { lostAttempts } from '../../steps/server-pods.ts'
import { runsFor, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'
import type { CommandStatusRecord } from '../../../cli/client/client.ts'

const room = 2

describe('an installation whose Jobs wait in a queue of Kueue', () => {
  const env = useEnvironment()
  let account: NewAccount
  let kueue: Kueue
  before(async function () {
    // Kueue is compiled at the first run.
    this.timeout(0)
    account = await newAccount(env, 'pro')
    kueue = await startKueue(env)
    for (const object of queueOfTwo(env.installed.namespace)) await env.apply(object)
    const values = {
      queue: { kueue: { enabled: true, queueName: 'kueue-{plan}', priorityClasses } },
    }
    await helmUpgrade(env.cluster, env.installed.namespace, merge(env.installed.values, values))
  })
  afterEach(() => setStopPolicy('None'))
  after(async () => {
    await helmUpgrade(env.cluster, env.installed.namespace, env.installed.values)
    await kueue?.stop()
  })

  const setStopPolicy = (stopPolicy: 'None' | 'HoldAndDrain') =>
    env.kubectl(
      ...['patch', 'clusterqueue', 'cloud-ffmpeg', '--type=merge', '-p'],
      JSON.stringify({ spec: { stopPolicy } }),
    )
  const submit = async (seconds: number, priority: 'low' | 'normal' | 'high' = 'normal') =>
    (await account.client.submit({ ...runsFor(seconds), priority })).command_id
  const untilAllEnd = (ids: readonly string[]) =>
    Promise.all(ids.map((id) => untilEnd(account.client, id)))

  it('runs 12 commands in turn, two at a time, and says of the others that they wait for Kueue', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => submit(2)))
    const table = await eventually('kubectl shows that commands wait', async () => {
      const rows = await env.kubectl('get', 'ffc')
      return /WaitingForKueue/.test(rows) && rows
    })
    expect(table).to.match(/^ffc-\S+ +QUEUED .* WaitingForKueue +\S+$/m)
    await eventually('a record says what it waits for', async () => {
      const records = await Promise.all(ids.map((id) => account.client.getCommand(id)))
      return records.some(({ queue_reason }) => queue_reason === 'KUEUE')
    })
    const records = await untilAllEnd(ids)
    for (const record of records) expect(record).to.include({ status: 'SUCCESS', attempts: 1 })
    expect(mostAtOnce(records)).to.equal(room)
  })

  it('runs again what a drained queue evicted, for no charge and no attempt of those it may lose', async () => {
    const before = await account.client.getUsage()
    const lost = await lostAttempts(env, 'KueueEvicted')
    const ids = [await submit(15), await submit(15)]
    for (const id of ids) await untilFfmpegRuns(account.client, id)
    const later = await submit(1)
    await setStopPolicy('HoldAndDrain')
    await eventually('both are evicted', async () => {
      return (await lostAttempts(env, 'KueueEvicted')) === lost + ids.length
    })
    const reasons = ['-o', 'jsonpath={.items[*].status.reason}']
    await eventually('all three wait', async () => {
      const names = [...ids, later].map((id) => `ffc-${id}`)
      const found = await env.kubectl('get', 'ffc', ...names, ...reasons)
      return found.split(' ').every((reason) => reason === 'WaitingForKueue')
    })
    await setStopPolicy('None')
    const records = await untilAllEnd([...ids, later])
    expect(records.map(({ status }) => status)).to.deep.equal(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    expect(records.map(({ attempts }) => attempts)).to.deep.equal([2, 2, 1])
    expect(await lostAttempts(env, 'KueueEvicted')).to.equal(lost + ids.length)
    const stored = records.reduce((sum, record) => sum + sizeOf(record), 0)
    const { processing } = await account.client.getUsage()
    const charged = processing.used_mbytes - before.processing.used_mbytes
    expect(charged).to.be.closeTo(stored, 0.001)
  })

  it('makes room for a command of high priority, and runs the evicted one of low priority again', async () => {
    const lows = [await submit(10, 'low'), await submit(10, 'low')]
    for (const id of lows) await untilFfmpegRuns(account.client, id)
    const [high] = await untilAllEnd([await submit(1, 'high')])
    expect(high).to.include({ status: 'SUCCESS', attempts: 1 })
    const records = await untilAllEnd(lows)
    expect(records.map(({ status }) => status)).to.deep.equal(['SUCCESS', 'SUCCESS'])
    expect(records.map(({ attempts }) => attempts)).to.have.members([1, 2])
  })

  it('deletes the Job and its Workload when a command that waits in the queue is cancelled', async () => {
    await setStopPolicy('HoldAndDrain')
    const id = await submit(1)
    const job = ['job', jobName(id, 1), '--ignore-not-found', '-o', 'jsonpath={.metadata.uid}']
    const uid = await eventually('its Job is there', () => env.kubectl('get', ...job))
    const ofJob = `kueue.x-k8s.io/job-uid=${uid}`
    const workload = () => env.kubectl('get', 'workloads', '-l', ofJob, '-o', 'name')
    await eventually('its Workload is there', workload)
    await account.client.cancelCommand(id)
    expect(await untilEnd(account.client, id)).to.include({ error_status: 'CANCELLED' })
    await eventually('its Job is gone', async () => (await env.kubectl('get', ...job)) === '')
    await eventually('its Workload is gone', async () => (await workload()) === '')
  })
})

const priorityClasses = { low: 'batch', high: 'urgent' }

/** Pods are what the queue has little of; it has to have some of all else that they request. */
function queueOfTwo(namespace: string): object[] {
  const kueue = { apiVersion: 'kueue.x-k8s.io/v1beta2' }
  const quotas = { cpu: 1_000, memory: '1Ti', 'ephemeral-storage': '100Ti', pods: room }
  const resources = Object.entries(quotas).map(([name, nominalQuota]) => ({ name, nominalQuota }))
  const spec = {
    namespaceSelector: {},
    stopPolicy: 'None',
    preemption: { withinClusterQueue: 'LowerPriority' },
    resourceGroups: [
      { coveredResources: Object.keys(quotas), flavors: [{ name: 'default', resources }] },
    ],
  }
  return [
    { ...kueue, kind: 'ResourceFlavor', metadata: { name: 'default' } },
    { ...kueue, kind: 'ClusterQueue', metadata: { name: 'cloud-ffmpeg' }, spec },
    {
      ...kueue,
      kind: 'LocalQueue',
      metadata: { name: 'kueue-pro', namespace },
      spec: { clusterQueue: 'cloud-ffmpeg' },
    },
    ...Object.entries({ batch: -10, urgent: 10 }).map(([name, value]) => ({
      ...kueue,
      kind: 'WorkloadPriorityClass',
      metadata: { name },
      value,
    })),
  ]
}

/** Most commands that ran at the same time, by their own records. */
function mostAtOnce(records: readonly CommandStatusRecord[]): number {
  const running = (at: number) =>
    records.filter(({ started_at, finished_at }) => {
      return Date.parse(started_at ?? '') <= at && at < Date.parse(finished_at ?? '')
    })
  return Math.max(...records.map(({ started_at }) => running(Date.parse(started_at ?? '')).length))
}

function sizeOf({ output_files }: CommandStatusRecord): number {
  return output_files?.['out_1']?.size_mbytes ?? 0
}
