import { expect } from 'chai'
import { failpointNames } from '../../common/runtime/effects.ts'
import type { FailpointName } from '../../common/runtime/effects.ts'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { faults, hit } from './controller-crash.fixture.ts'
import type { Play } from './controller-crash.fixture.ts'
import { namespace, terminated } from './world-parts.fixture.ts'
import type { World } from './controller.fixture.ts'
import type { FakePod } from './world-parts.fixture.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'

const points = failpointNames.filter(
  (name) =>
    (name.startsWith('operator.') || name.startsWith('sweep.')) &&
    !name.startsWith('operator.warm_runner'),
)
/**
 * Met elsewhere: by a resource that vanished, by objects of other namespaces, by uploads that were
 * never completed, by files whose time is over, by commands that the cluster has no room for, by Jobs in queues of Kueue (in the simulator), and by their Workloads.
 */
const notMet: readonly FailpointName[] = [
  'operator.undispatched',
  'operator.outcome_restored',
  'operator.returned_to_queue',
  'operator.start_wait_recorded',
  'operator.foreign_noticed',
  'sweep.postponed',
  'sweep.uploads_expired',
  'sweep.files_expired',
]

const stories: readonly { name: string; play: Play; end: string }[] = [
  { name: 'a success', play: succeed, end: 'SUCCESS null 1' },
  { name: 'a success after a lost attempt', play: loseOne, end: 'SUCCESS null 2' },
  { name: 'a wait for vCPUs of the account', play: waitForQuota, end: 'SUCCESS null 1' },
  { name: 'an applied object that is deleted', play: applyAndDelete, end: 'FAILED CANCELLED 1' },
  { name: 'a kill for memory', play: runOutOfMemory, end: 'FAILED OUT_OF_MEMORY 1' },
]

describe('controller, hit at every effect', () => {
  // Hundreds of lives of a command, in virtual time.
  for (const { name, play, end } of stories) {
    for (const fault of faults) {
      it(`brings ${name} to the same end when each effect is hit by '${fault}'`, async () => {
        const { met } = await hit(null, fault, play)
        for (const point of met) {
          const outcome = await hit(point, fault, play)
          expect({ point, end: outcome.end, left: outcome.left }).to.deep.equal({
            point,
            end,
            left: [],
          })
          expect(new Set(outcome.jobsMade).size, `${point}: Jobs made`).to.equal(
            outcome.jobsMade.length,
          )
        }
      })
    }
  }

  it('reaches every effect of the operator in these scenarios', async () => {
    const met = new Set<FailpointName>()
    for (const { play } of stories) {
      for (const point of (await hit(null, 'crash after', play)).met) met.add(point)
    }
    expect(points.filter((point) => !met.has(point))).to.deep.equal(notMet)
  })
})

async function succeed(world: World): Promise<string> {
  await world.submit(commandId)
  await runTo(world, commandId, 1)
  return commandId
}

async function waitForQuota(world: World): Promise<string> {
  await world.submit(commandId)
  const pod = await begin(world, commandId, 1)
  const waiting = '0197a3f1-7c4e-7d11-9a55-0242ac120009'
  await world.submit(waiting, { vcpuCount: 4 })
  await world.clock.advance(5_000)
  await world.succeed(commandId, pod.uid)
  pod.complete()
  await runTo(world, waiting, 1)
  return waiting
}

async function loseOne(world: World): Promise<string> {
  await world.submit(commandId)
  const first = await begin(world, commandId, 1)
  first.end({ containerStatuses: [terminated('transfer', 44), terminated('ffmpeg', 137)] })
  await runTo(world, commandId, 2)
  return commandId
}

async function runOutOfMemory(world: World): Promise<string> {
  await world.submit(commandId)
  const pod = await begin(world, commandId, 1)
  pod.end({
    containerStatuses: [terminated('transfer', 44), terminated('ffmpeg', 137, 'OOMKilled')],
  })
  await world.clock.advance(5_000)
  expireJobs(world)
  return commandId
}

async function applyAndDelete(world: World): Promise<string> {
  await world.store.ensureAccount({ accountId: commandId, name: 'acme', plan: 'small' })
  const { metadata } = world.server.cluster.create('FfmpegCommand', namespace, {
    metadata: { name: 'by-hand' },
    spec: {
      account: 'acme',
      commands: ['-i {{in_1}} {{out_1}}'],
      inputFiles: { in_1: 'https://media.example/a.mp4' },
      outputFiles: { out_1: 'b.mp4' },
    },
  })
  const pod = await begin(world, metadata.uid, 1)
  world.server.cluster.delete('FfmpegCommand', namespace, 'by-hand')
  await world.clock.runUntil(
    () =>
      world.server.cluster.get('Pod', namespace, pod.name)?.metadata.deletionTimestamp !==
      undefined,
    60_000,
  )
  world.server.cluster.finishGrace('Pod', namespace, pod.name)
  return metadata.uid
}

async function begin(world: World, id: string, jobGeneration: number): Promise<FakePod> {
  const name = jobName(id, jobGeneration)
  const isThere = await world.clock.runUntil(() => world.jobNames().includes(name), 120_000)
  if (!isThere) throw new Error(`no Job ${name} after two minutes`)
  const pod = await world.pod(name)
  const claim = await world.store.claimAttempt({ commandId: id, jobGeneration, podUid: pod.uid })
  if (claim.kind !== 'assigned') throw new Error(`claim: ${claim.kind}`)
  await world.clock.advance(1_000)
  return pod
}

async function runTo(world: World, id: string, jobGeneration: number): Promise<void> {
  const pod = await begin(world, id, jobGeneration)
  await world.succeed(id, pod.uid)
  pod.complete()
  await world.clock.advance(20_000)
  expireJobs(world)
  expect(world.status(customResourceName(id))?.state).to.equal('SUCCESS')
}

/** Deletes finished Jobs as the TTL controller does, once the operator has set their time. */
function expireJobs(world: World): void {
  world.clock.schedule(100_000, () => {
    for (const { spec, metadata } of world.server.cluster.list('Job')) {
      if (typeof spec?.['ttlSecondsAfterFinished'] !== 'number') continue
      world.server.cluster.delete('Job', namespace, metadata.name)
    }
  })
}
