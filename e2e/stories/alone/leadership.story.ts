import { expect } from 'chai'
import { createKube } from '../../bench/cluster/kube.ts'
import type { Kube } from '../../bench/cluster/kube.ts'
import { helmUpgrade, merge } from '../../installation/install.ts'
import { scaled } from '../../../testing/scale.ts'
import { runOverStall } from '../../steps/load/api-stall.ts'
import { describeSeconds } from '../../steps/load/tiny-overhead.ts'
import { environment } from '../../steps/environment.ts'
import type { Environment } from '../../steps/environment.ts'
import { eventually, kubectlTimeout } from '../../steps/eventually.ts'
import { lostTerms, serverRestarts, killContainer } from '../../steps/server-pods.ts'

const stalls = scaled({ smoke: 1, full: 5 })
const kills = scaled({ smoke: 2, full: 8 })
const lease = 'cloud-ffmpeg-operator'

describe('the operator that leads', function () {
  this.timeout(600_000)
  let env: Environment
  let kube: Kube
  before(async function () {
    env = await environment(this)
    kube = createKube(env.cluster.kubeconfig)
  })
  after(() => kube.close())

  it('the leader survives an API server that does not answer for 20 s, and goes on after its return', async () => {
    const restarts = await serverRestarts(env)
    const lostBefore = await lostTerms(env)
    const firstEffects: number[] = []
    for (let stall = 0; stall < stalls; stall += 1) {
      firstEffects.push(await runOverStall(env, env.client))
    }
    // Printed, not asserted: other tests take the processors at the same time. 0.0 to 0.9 s in 30 of 31 stalls, once 5.2 s.
    console.log(`      first effect ${describeSeconds(firstEffects)} after a stall`)
    expect(await serverRestarts(env)).to.equal(restarts)
    expect((await lostTerms(env)) - lostBefore).to.be.at.most(stalls)
  })

  it('the operator that leads has a successor after its death by SIGKILL', async () => {
    const { namespace, values } = env.installed
    await helmUpgrade(env.cluster, namespace, merge(values, { operator: { replicas: 2 } }))
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const holder = await eventually('a leader', holderOf)
        await killContainer(env, podIn(holder))
        await eventually('another leader', async () => {
          const now = await holderOf()
          return now !== null && now !== holder
        })
        // A new pod, because the kubelet lets a container wait longer after each end.
        await env.kubectl('delete', 'pod', podIn(holder), '--wait=false')
        await env.kubectl('rollout', 'status', 'deploy/cloud-ffmpeg-operator', kubectlTimeout)
      }
    } finally {
      await helmUpgrade(env.cluster, namespace, values)
    }
  })

  async function holderOf(): Promise<string | null> {
    const object = await kube.leases.get(env.installed.namespace, lease, { retry: false })
    return object?.spec.holderIdentity ?? null
  }
})

/** The holder's identity begins with the name of its pod. */
function podIn(identity: string): string {
  return identity.slice(0, identity.indexOf('_'))
}
