import { expect } from 'chai'
import { jobName } from '../../../common/domain/resource-names.ts'
import { listIn, objectIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { JsonObject } from '../../../common/json/json-object.ts'
import { scaled } from '../../../testing/scale.ts'
import { defaultFlavor } from '../../kueue-contract/flavor.ts'
import { helmUpgrade } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { startKueueMode } from '../../kueue-contract/kueue-mode.ts'
import type { KueueMode } from '../../kueue-contract/kueue-mode.ts'
import { newAccount } from '../../steps/new-account.ts'
import type { NewAccount } from '../../steps/new-account.ts'
import { lostAttempts } from '../../steps/server-pods.ts'
import { runsFor, untilEnd, untilFfmpegRuns } from '../../steps/submit-and-wait.ts'
import { describeSeconds, middle, tinyOverheads } from '../../steps/load/tiny-overhead.ts'

const quotaVcpus = 4
const tinyCommands = scaled({ smoke: 3, full: 20 })

describe('an installation whose Jobs wait in queues of Kueue', () => {
  const env = useEnvironment()
  let account: NewAccount
  let kueue: KueueMode
  let without: readonly number[] = []
  before(async () => {
    account = await newAccount(env, 'pro')
    without = await tinyOverheads(account.client, tinyCommands)
    kueue = await startKueueMode(env, quotaVcpus)
  })
  after(async () => {
    await kueue?.stop()
    await helmUpgrade(env.cluster, env.installed.namespace, env.installed.values)
  })

  it('runs a command at once when its queue has room', async () => {
    const within = await tinyOverheads(account.client, tinyCommands)
    const moreMs = (middle(within) - middle(without)) * 1_000
    // Printed, not asserted: the machine's processors are shared.
    console.log(`      without ${describeSeconds(without)}`)
    console.log(`      in the mode ${describeSeconds(within)}: ${moreMs.toFixed(0)} ms more`)
  })

  it('never has pods of more than 4 vCPUs at a quota of 4, and shows what waits as WaitingForKueue', async () => {
    const submissions = Array.from({ length: 10 }, (_, index) => vcpus(runsFor(4), 1 + (index % 2)))
    const ids = await Promise.all(
      submissions.map(async (one) => (await account.client.submit(one)).command_id),
    )
    const table = await eventually('kubectl shows that commands wait', async () => {
      const rows = await env.kubectl('get', 'ffc')
      return /WaitingForKueue/.test(rows) && rows
    })
    expect(table).to.match(/^ffc-\S+ +QUEUED .* WaitingForKueue +\S+$/m)
    for (const id of ids) {
      expect(await untilEnd(account.client, id)).to.include({ status: 'SUCCESS', attempts: 1 })
    }
    expect(kueue.runners.mostVcpus()).to.be.within(2, quotaVcpus)
    for (const id of ids) expectFlavor(kueue.runners.specsOf(jobName(id, 1)), 1)
  })

  it('runs a command again that is evicted at half of its progress, and charges one run', async () => {
    const before = await account.client.getUsage()
    const lost = await lostAttempts(env, 'KueueEvicted')
    const { command_id: id } = await account.client.submit(runsFor(12))
    await untilFfmpegRuns(account.client, id)
    await eventually('it is at half', async () => {
      return ((await account.client.getCommand(id)).progress_percent ?? 0) >= 45
    })
    kueue.contract.evict(jobName(id, 1))
    const record = await untilEnd(account.client, id)
    expect(record).to.include({ status: 'SUCCESS', attempts: 2 })
    expectFlavor(kueue.runners.specsOf(jobName(id, 1)), 2)
    expect(await lostAttempts(env, 'KueueEvicted')).to.equal(lost + 1)
    const size = record.output_files?.['out_1']?.size_mbytes ?? 0
    expect(size).to.be.above(0)
    expect(record.processing_quota_used).to.equal(size)
    const { processing } = await account.client.getUsage()
    const charged = processing.used_mbytes - before.processing.used_mbytes
    expect(charged).to.be.closeTo(size, 0.001)
  })

  it('evicts a command of low priority for one of high priority, and runs both', async () => {
    const low = { ...vcpus(runsFor(10), 2), priority: 'low' as const }
    const lows = [await account.client.submit(low), await account.client.submit(low)]
    for (const { command_id } of lows) await untilFfmpegRuns(account.client, command_id)
    const high = { ...vcpus(runsFor(2), 2), priority: 'high' as const }
    const { command_id: urgent } = await account.client.submit(high)
    expect(await untilEnd(account.client, urgent)).to.include({ status: 'SUCCESS', attempts: 1 })
    const records = await Promise.all(
      lows.map(({ command_id }) => untilEnd(account.client, command_id)),
    )
    expect(records.map(({ status }) => status)).to.deep.equal(['SUCCESS', 'SUCCESS'])
    expect(records.map(({ attempts }) => attempts)).to.have.members([1, 2])
    expect(kueue.runners.mostVcpus()).to.be.at.most(quotaVcpus)
  })

  it('shows what the Workload of a waiting Job says, and deletes both when the command is cancelled', async () => {
    const long = vcpus(runsFor(60), quotaVcpus)
    const { command_id: running } = await account.client.submit(long)
    await untilFfmpegRuns(account.client, running)
    const { command_id: id } = await account.client.submit(long)
    const job = jobName(id, 1)
    await eventually('it waits in the queue', () => Promise.resolve(kueue.contract.waits(job)))
    expect(kueue.contract.waits(job)).to.include('4 more needed')
    const said = "couldn't assign flavors to pod set main: insufficient unused quota"
    const message = ['get', 'ffc', `ffc-${id}`, '-o', 'jsonpath={.status.message}']
    await eventually('its status shows what it waits for', async () => {
      return (await env.kubectl(...message)).startsWith(said)
    })
    const events = ['get', 'events', '--field-selector', `involvedObject.name=ffc-${id}`]
    await eventually('an Event shows it', async () => {
      return (await env.kubectl(...events)).includes(said)
    })
    const suspended = ['get', 'job', job, '-o', 'jsonpath={.spec.suspend}']
    expect(await env.kubectl(...suspended)).to.equal('true')
    await account.client.cancelCommand(id)
    const record = await untilEnd(account.client, id)
    expect(record).to.include({ status: 'FAILED', error_status: 'CANCELLED' })
    await eventually('its Job is gone', async () => {
      return (await env.kubectl('get', 'job', job, '--ignore-not-found', '-o', 'name')) === ''
    })
    await eventually('its Workload is gone', async () => {
      const workload = ['get', 'workloads', `job-${job}`, '--ignore-not-found', '-o', 'name']
      return (await env.kubectl(...workload)) === ''
    })
    expect(kueue.runners.specsOf(job)).to.deep.equal([])
    await account.client.cancelCommand(running)
    await untilEnd(account.client, running)
  })

  it('runs a command in another flavor after its pod was not ready in time', async () => {
    kueue.contract.setFlavor({ nodeSelector: { 'example.com/pool': 'spot' }, tolerations: [] })
    const { command_id: id } = await account.client.submit(runsFor(1))
    const reason = ['get', 'ffc', `ffc-${id}`, '-o', 'jsonpath={.status.reason}']
    await eventually('its pod cannot be scheduled', async () => {
      return (await env.kubectl(...reason)) === 'Unschedulable'
    })
    kueue.contract.setFlavor(defaultFlavor)
    expect(await untilEnd(account.client, id)).to.include({ status: 'SUCCESS', attempts: 1 })
    const specs = kueue.runners.specsOf(jobName(id, 1))
    expect(specs).to.have.length(2)
    expect(objectIn(specs[0] ?? {}, 'nodeSelector')).to.have.property('example.com/pool')
    expect(objectIn(specs[1] ?? {}, 'nodeSelector')).to.not.have.property('example.com/pool')
    expectFlavor(specs.slice(1), 1)
  })
})

function vcpus<T extends object>(submission: T, count: number): T & { vcpu_count: number } {
  return { ...submission, vcpu_count: count }
}

/** A selector that was injected once is not there twice after an eviction. */
function expectFlavor(specs: readonly JsonObject[], pods: number): void {
  expect(specs).to.have.length(pods)
  const injected = defaultFlavor.tolerations.map(({ key }): unknown => key)
  for (const spec of specs) {
    expect(objectIn(spec, 'nodeSelector')).to.include(defaultFlavor.nodeSelector)
    const keys = listIn(spec, 'tolerations').map((each) => isJsonObject(each) && each['key'])
    expect(keys.filter((key) => injected.includes(key))).to.deep.equal(injected)
  }
}
