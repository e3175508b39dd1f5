import { expect } from 'chai'
import { Registry } from 'prom-client'
import { directly } from '../../common/runtime/failpoint.ts'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createFfmpegCommands } from '../../common/kubernetes/resources/ffmpeg-commands.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { createLeases } from '../../common/kubernetes/resources/leases.ts'
import { dispatchLeaseName } from '../../common/domain/resource-names.ts'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import type { FakeCall } from '../../testing/simulator/kube-apiserver/faults.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { sendCanary } from './canary.ts'
import type { Proof } from './row-failure.ts'

function world() {
  const clock = createVirtualClock()
  const server = createFakeKubeApiserver({ clock, random: () => 0.5 })
  const client = createKubeClient({
    transport: server.transport,
    clock,
    random: () => 0.5,
    metrics: createKubeMetrics(new Registry()),
  })
  let ids = 0
  const newId = () => `id-${(ids += 1)}`
  const deps = {
    commands: createFfmpegCommands(client),
    leases: createLeases(client),
    namespace: 'media',
    effects: { clock, random: () => 0.5, newId, failpoint: directly },
  }
  const send = async () => (await clock.until(sendCanary(deps))).proof
  return { server, send }
}

const isDryRun = ({ query }: FakeCall) => query['dryRun'] === 'All'
const isLease = ({ kind }: FakeCall) => kind === 'Lease'

describe('the canary of dispatch', () => {
  it('writes a Lease each time, which it creates once, and leaves no command behind', async () => {
    const { server, send } = world()
    const written: unknown[] = []
    server.cluster.onChange(({ kind, object }) => {
      written.push([kind, object.metadata.name, object.spec?.['holderIdentity']])
    })
    expect([await send(), await send()]).to.deep.equal(['written', 'written'])
    expect(written).to.deep.equal([
      ['Lease', dispatchLeaseName, 'id-1'],
      ['Lease', dispatchLeaseName, 'id-2'],
    ])
  })

  const cases: [string, (call: FakeCall) => boolean, number, string, Proof][] = [
    ['the dry run is answered with 500', isDryRun, 500, 'x', 'away'],
    ['the dry run is throttled', isDryRun, 429, 'x', 'away'],
    ['the quota of commands is exhausted', isDryRun, 403, 'exceeded quota: x', 'away'],
    ['the CRD is missing', isDryRun, 404, 'x', 'away'],
    ['the credentials have expired', isDryRun, 401, 'x', 'away'],
    ['a policy denies the dry run', isDryRun, 403, 'denied', 'refused'],
    ['the schema refuses the dry run', isDryRun, 422, 'x', 'refused'],
    ['writes are answered with 500', isLease, 500, 'etcdserver: no space', 'away'],
    ['it may not write the Lease', isLease, 403, 'forbidden', 'accepted'],
    ['another replica writes the Lease', isLease, 409, 'x', 'written'],
  ]
  for (const [what, isHit, status, message, proof] of cases) {
    it(`reports '${proof}' when ${what}`, async () => {
      const { server, send } = world()
      const answer = { status, reason: 'x', message }
      server.faults.onRequest = (call) => (isHit(call) ? { answer } : null)
      expect(await send()).to.equal(proof)
    })
  }

  it("reports 'away' when the API server does not answer", async () => {
    const { server, send } = world()
    server.setDown(true)
    expect(await send()).to.equal('away')
  })
})
