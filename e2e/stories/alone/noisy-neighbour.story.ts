import { expect } from 'chai'
import { hostileAccount } from '../../../testing/noisy-account/hostile-loads.ts'
import { startHostileServers } from '../../../testing/noisy-account/hostile-servers.ts'
import { scaled } from '../../../testing/scale.ts'
import { helmUpgrade, merge } from '../../installation/install.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { newAccount } from '../../steps/new-account.ts'
import { serverRestarts } from '../../steps/server-pods.ts'
import { describeSeconds, middle, tinyOverheads } from '../../steps/load/tiny-overhead.ts'

const counts = scaled({
  smoke: { poison: 8, long: 20, drips: 10, failing: 20, streams: 60 },
  full: { poison: 80, long: 120, drips: 40, failing: 150, streams: 300 },
})
const commands = scaled({ smoke: 3, full: 5 })

describe('an account that does its worst within its plan', function () {
  this.timeout(1_200_000)
  const env = useEnvironment()

  before(async () => {
    // Two cores can schedule some 14 runners of one vCPU; two of these are kept for the other account.
    const { cluster, installed } = env
    const operator = { capacityVcpus: 10, startingPods: 2 }
    const values = merge(installed.values, { operator })
    await helmUpgrade(cluster, installed.namespace, values)
  })
  after(() => helmUpgrade(env.cluster, env.installed.namespace, env.installed.values))

  it('delays no command of another account beyond its turn, gets no 5xx, and restarts no server', async () => {
    const restarts = await serverRestarts(env)
    const other = await newAccount(env, 'pro')
    const hostile = await newAccount(env, 'pro')
    const servers = await startHostileServers(env.cluster.hostAddress, counts.failing)
    const { url } = env.installed
    const account = hostileAccount({ url, apiKey: hostile.apiKey }, servers, counts)
    try {
      const idle = await tinyOverheads(other.client, commands)
      console.log(`      alone ${describeSeconds(idle)}`)
      for (const load of account.loads) {
        await load.send()
        const beside = await tinyOverheads(other.client, commands)
        const ratio = middle(beside) / middle(idle)
        // Printed, not asserted: both accounts share the processors of one machine.
        console.log(
          `      beside ${load.name} ${describeSeconds(beside)}, ${ratio.toFixed(2)} times alone`,
        )
      }
    } finally {
      await account.stop()
      await servers.close()
    }
    expect([...account.statuses.keys()].filter((status) => status >= 500)).to.deep.equal([])
    await eventually('nothing of the account is left to do', async () => {
      const { queue } = await hostile.client.getUsage()
      const left = await hostile.client.listCommands({ status: 'PROCESSING' })
      return queue.queued === 0 && left.length === 0
    })
    expect(await serverRestarts(env)).to.equal(restarts)
  })
})
