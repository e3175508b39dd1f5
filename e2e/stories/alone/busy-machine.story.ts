import { expect } from 'chai'
import { scaled } from '../../../testing/scale.ts'
import type { Client } from '../../../cli/client/client.ts'
import { runOverStall } from '../../steps/load/api-stall.ts'
import { withBusyProcessors } from '../../steps/load/busy-processors.ts'
import { useEnvironment } from '../../steps/environment.ts'
import { newAccount } from '../../steps/new-account.ts'
import { lostTerms, serverRestarts } from '../../steps/server-pods.ts'
import {
  describeSeconds,
  middle,
  tinyOverhead,
  tinyOverheads,
} from '../../steps/load/tiny-overhead.ts'

/** Tiny commands while the encodes run, and the time in which they are spread: before the first stall, and after each. */
const busy = scaled({ smoke: { commands: 5, seconds: 30 }, full: { commands: 20, seconds: 300 } })
/** Stalls of the Kubernetes API. At full scale the encodes run for half an hour with them. */
const stalls = scaled({ smoke: 1, full: 5 })
const idleCommands = 5

describe('a machine whose processors are all busy with FFmpeg', function () {
  this.timeout(600_000 + 2_000 * stalls * busy.seconds)
  const env = useEnvironment()

  it('restarts no server, loses no Lease but by a stall of the Kubernetes API, and takes no command twice', async () => {
    const { client } = await newAccount(env, 'patient')
    const restarts = await serverRestarts(env)
    const lost = await lostTerms(env)
    const idle = await tinyOverheads(client, idleCommands)
    const loaded: number[] = []
    const firstEffects: number[] = []
    await withBusyProcessors(env.client, async () => {
      loaded.push(...(await spreadTiny(client)))
      expect(await lostTerms(env)).to.equal(lost)
      for (let stall = 0; stall < stalls; stall += 1) {
        firstEffects.push(await runOverStall(env, client))
        if (stalls > 1) loaded.push(...(await spreadTiny(client)))
      }
    })
    // Printed, not asserted: other tests take the processors at the same time, also while this one calls them idle.
    const slowdown = Math.max(...loaded) / middle(idle)
    console.log(
      `      idle ${describeSeconds(idle)}; busy ${describeSeconds(loaded)}; slowest busy ${slowdown.toFixed(1)} times idle`,
    )
    console.log(`      first effect ${describeSeconds(firstEffects)} after a stall`)
    expect(await serverRestarts(env)).to.equal(restarts)
    expect((await lostTerms(env)) - lost).to.be.at.most(stalls)
  })
})

async function spreadTiny(client: Client): Promise<number[]> {
  const seconds: number[] = []
  const begunMs = performance.now()
  for (let index = 0; index < busy.commands; index += 1) {
    seconds.push(await tinyOverhead(client))
    const nextMs = begunMs + ((index + 1) * busy.seconds * 1000) / busy.commands
    await new Promise((next) => setTimeout(next, Math.max(0, nextMs - performance.now())))
  }
  return seconds
}
