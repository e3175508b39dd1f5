import { expect } from 'chai'
import { createKube } from '../../../testing/bench/cluster/kube.ts'
import type { Kube } from '../../../testing/bench/cluster/kube.ts'
import { helmUpgrade, merge } from '../../installation/install.ts'
import { scaled } from '../../../testing/scale.ts'
import { environment } from '../../steps/environment.ts'
import type { Environment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { lostTerms, serverRestarts, killContainer } from '../../steps/server-pods.ts'
import { runsFor, untilEnd } from '../../steps/submit-and-wait.ts'

const stallMs = 20_000
const stalls = scaled({ smoke: 1, full: 5 })
const kills = scaled({ smoke: 2, full: 8 })
const lease = 'cloud-ffmpeg-operator'

/** `operator.leaseSeconds` by default. */
const leaseSeconds = 15

describe('the operator that leads', function () {
  this.timeout(600_000)
  let env: Environment
  let kube: Kube
  before(async function () {
    env = await environment(this)
    kube = createKube(env.cluster.kubeconfig)
  })
  after(() => kube.close())

  it('survives an API server that does not answer for 20 s, and goes on after its return', async () => {
    const { pauseApi, resumeApi } = env.cluster
    if (pauseApi === undefined || resumeApi === undefined) {
      throw new Error('this cluster provider cannot pause the Kubernetes API')
    }
    const restarts = await serverRestarts(env)
    const lostBefore = await lostTerms(env)
    const firstEffects: number[] = []
    for (let stall = 0; stall < stalls; stall += 1) {
      await pauseApi()
      let commandId: string
      try {
        await new Promise((resume) => setTimeout(resume, stallMs - 1_000))
        commandId = (await env.client.submit(runsFor(1))).command_id
        await new Promise((resume) => setTimeout(resume, 1_000))
      } finally {
        await resumeApi()
      }
      const resumedMs = performance.now()
      await eventually('the Job is there', () => jobOf(commandId), 30)
      firstEffects.push((performance.now() - resumedMs) / 1000)
      expect(await untilEnd(env.client, commandId)).to.include({ status: 'SUCCESS', attempts: 1 })
    }
    // Printed, not asserted: other tests take the processors at the same time. 0.0 to 0.9 s in 30 of 31 stalls, once 5.2 s.
    console.log(
      `      first effect ${firstEffects.map((s) => s.toFixed(1)).join(' ')} s after a stall`,
    )
    expect(await serverRestarts(env)).to.equal(restarts)
    expect((await lostTerms(env)) - lostBefore).to.be.at.most(stalls)
  })

  it('has a successor after its death by SIGKILL', async () => {
    const { namespace, values } = env.installed
    await helmUpgrade(env.cluster, namespace, merge(values, { operator: { replicas: 2 } }))
    const failovers: number[] = []
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const holder = await eventually('a leader', holderOf)
        await killContainer(env, podIn(holder))
        const killedMs = performance.now()
        await eventually('another leader', async () => {
          const now = await holderOf()
          return now !== null && now !== holder
        })
        failovers.push((performance.now() - killedMs) / 1000)
        // A new pod, because the kubelet lets a container wait longer after each end.
        await env.kubectl('delete', 'pod', podIn(holder), '--wait=false')
        await env.kubectl('rollout', 'status', 'deploy/cloud-ffmpeg-operator', '--timeout=120s')
      }
    } finally {
      await helmUpgrade(env.cluster, namespace, values)
    }
    // The Lease of a dead holder lasts for 15 s: a longer wait than that is not a takeover.
    console.log(`      failover ${failovers.map((s) => s.toFixed(1)).join(' ')} s`)
    expect(Math.max(...failovers)).to.be.below(leaseSeconds)
  })

  async function holderOf(): Promise<string | null> {
    const object = await kube.leases.get(env.installed.namespace, lease, { retry: false })
    return object?.spec.holderIdentity ?? null
  }

  async function jobOf(commandId: string): Promise<boolean> {
    const found = await kube.jobs.get(env.installed.namespace, `ffc-${commandId}-1`)
    return found !== null
  }
})

/** The holder's identity begins with the name of its pod. */
function podIn(identity: string): string {
  return identity.slice(0, identity.indexOf('_'))
}
