import { expect } from 'chai'
import type { Client, CommandStatusRecord } from '../../../cli/client/client.ts'
import { helmUpgrade, merge } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { newAccount } from '../../steps/new-account.ts'
import { runsFor, submitAndWait, untilEnd } from '../../steps/submit-and-wait.ts'

const capacityVcpus = 8
const vcpus = 2
/** Runs until it is cancelled. */
const long = { ...runsFor(1_200), vcpu_count: vcpus }
const short = { ...runsFor(1), vcpu_count: vcpus }
/** A minute until the commands of stories before this one no longer count, and the starts. */
const fillSeconds = 180

describe('an account beside one that submitted of late', function () {
  this.timeout(900_000)
  const env = useEnvironment()

  const upgrade = (operator: object) => {
    const { cluster, installed } = env
    return helmUpgrade(cluster, installed.namespace, merge(installed.values, { operator }))
  }
  after(() => helmUpgrade(env.cluster, env.installed.namespace, env.installed.values))

  it('uses every vCPU of the installation while no other one has submitted', async () => {
    await upgrade({ capacityVcpus, reserveMinutes: 1 })
    const { client } = await newAccount(env, 'unlimited')
    const ids = await submitMany(client, capacityVcpus / vcpus)
    try {
      await eventually(
        'all vCPUs are used',
        async () => {
          const records = await readAll(client, ids)
          return records.every(({ processing_stage: stage }) => stage === 'FFMPEG_PROCESSING')
        },
        fillSeconds,
      )
    } finally {
      await cancelAll(client, ids)
    }
  })

  it('a busy account leaves one that submitted of late room to start within 3 s, over a leader change', async () => {
    const [busy, other] = [await newAccount(env, 'unlimited'), await newAccount(env, 'unlimited')]
    expect((await submitAndWait(other.client, short)).status).to.equal('SUCCESS')
    await upgrade({ capacityVcpus, reserveMinutes: 30 })
    const ids = await submitMany(busy.client, capacityVcpus / vcpus)
    try {
      const waiting = await eventually(
        'all but one run, and that one says what it waits for',
        async () => {
          const records = await readAll(busy.client, ids)
          const left = records.filter(({ status }) => status === 'QUEUED')
          return left.length === 1 && left[0]?.queue_reason === 'FAIR_SHARE' && left[0]
        },
        fillSeconds,
      )
      const record = await submitAndWait(other.client, short)
      expect(record.status).to.equal('SUCCESS')
      const { attempts } = await other.client.getCommandTimeline(record.command_id)
      // The start of its pod is the machine's, which all stories share.
      const startedMs = Date.parse(attempts[0]?.started_at ?? '')
      expect(startedMs - Date.parse(record.created_at)).to.be.below(3_000)
      expect((await busy.client.getCommand(waiting.command_id)).status).to.equal('QUEUED')
    } finally {
      await cancelAll(busy.client, ids)
    }
  })
})

async function submitMany(client: Client, count: number): Promise<string[]> {
  const submissions = Array.from({ length: count }, () => client.submit(long))
  return (await Promise.all(submissions)).map(({ command_id }) => command_id)
}

function readAll(client: Client, ids: readonly string[]): Promise<CommandStatusRecord[]> {
  return Promise.all(ids.map((id) => client.getCommand(id)))
}

async function cancelAll(client: Client, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => client.cancelCommand(id)))
  await Promise.all(ids.map((id) => untilEnd(client, id)))
}
