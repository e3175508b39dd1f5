import { expect } from 'chai'
import { failpointNames } from '../../common/runtime/effects.ts'
import { listIn, objectIn } from '../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import { customResourceName, jobName } from '../../common/domain/resource-names.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings, warmSettings } from '../../testing/support/operator/settings.ts'
import { limitsFor } from '../resources/limits.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { faults, hit } from './controller-crash.fixture.ts'
import { createWorld } from './controller.fixture.ts'
import { namespace } from './world-parts.fixture.ts'
import type { World } from './controller.fixture.ts'
import { runWarmRunners } from './warm-runner-pods.fixture.ts'
import type { WarmRunnerRun } from './warm-runner-pods.fixture.ts'

const warm = warmSettings({ min: 1, max: 1 })
const points = failpointNames.filter((name) => name.startsWith('operator.warm_runner'))

describe('controller, with runners that wait', () => {
  let world: World
  let warmRunners: ReturnType<typeof runWarmRunners>

  beforeEach(async () => {
    world = createWorld(directly, {}, { runner: { warm } })
    warmRunners = runWarmRunners(world)
    await world.start()
    await world.clock.advance(5_000)
  })

  afterEach(() => world.stop())

  it('binds one to a command, adopts it, and makes the next', async () => {
    await world.submit(commandId)
    const pod = await warmRunners.bound(commandId)
    await world.clock.advance(2_000)
    const job = world.server.cluster.get('Job', namespace, pod.jobName)
    expect(job?.metadata.labels).to.include({
      'cloudffmpeg.dev/command-id': commandId,
      'cloudffmpeg.dev/standby': 'bound',
    })
    expect(job?.metadata.ownerReferences?.[0]).to.include({
      kind: 'FfmpegCommand',
      name: customResourceName(commandId),
      controller: true,
    })
    expect(job?.spec).to.not.have.property('ttlSecondsAfterFinished')
    const adopted = world.server.cluster.get('Pod', namespace, pod.name)
    expect(adopted?.metadata.labels).to.include({ 'cloudffmpeg.dev/command-id': commandId })
    expect(adopted?.spec?.['activeDeadlineSeconds']).to.be.a('number')
    expect(ffmpegResources(world, pod)).to.deep.include({ cpu: '2000m', memory: '2048Mi' })
    expect(world.events).to.include('StandbyBound').and.not.include('JobCreated')
    expect(world.jobNames()).to.have.length(2)
    await finish(world, pod)
    const { status, jobGeneration } = await world.rowOf(commandId)
    expect({ status, jobGeneration }).to.deep.equal({ status: 'SUCCESS', jobGeneration: 1 })
  })

  it('lets the Job of a command expire that had ended before it was adopted', async () => {
    await world.submit(commandId)
    const pod = await warmRunners.bound(commandId)
    await finish(world, pod)
    const job = world.server.cluster.get('Job', namespace, pod.jobName)
    expect(job?.metadata.ownerReferences).to.have.length(1)
    expect(job?.spec?.['ttlSecondsAfterFinished']).to.equal(60)
  })

  it('gives a pod whole time for its command however long its image was pulled', async () => {
    await world.stop()
    world = createWorld(directly, {}, { runner: { warm } })
    warmRunners = runWarmRunners(world, { pullMs: 90_000 })
    await world.start()
    await world.clock.advance(100_000)
    await world.submit(commandId)
    const pod = await warmRunners.bound(commandId)
    const boundMs = world.clock.wall().getTime()
    await world.clock.advance(2_000)
    const { spec, status } = world.server.cluster.get('Pod', namespace, pod.name) ?? {}
    const endsMs =
      Date.parse(String(status?.['startTime'])) + 1_000 * Number(spec?.['activeDeadlineSeconds'])
    const row = await world.rowOf(commandId)
    const { podDeadlineSeconds } = limitsFor(row, runnerSettings({ warm })).clocks
    const seconds = (endsMs - boundMs) / 1_000 - podDeadlineSeconds
    // Two times that Kubernetes cuts to whole seconds, and the wait rounded up.
    expect(seconds).to.be.within(30, 33)
    const job = world.server.cluster.get('Job', namespace, pod.jobName)
    expect(job?.spec?.['activeDeadlineSeconds']).to.equal(
      2 * warm.maxAgeSeconds + podDeadlineSeconds + 600,
    )
  })

  it('binds the next one when the size of the one before was refused because it had ended', async () => {
    const invalid = { status: 422, reason: 'Invalid', message: 'the pod has ended' }
    world.server.faults.next({ subresource: 'resize' }, { answer: invalid })
    await world.submit(commandId)
    await finish(world, await warmRunners.bound(commandId))
    const second = '0197a3f1-7c4e-7d11-9a55-0242ac120009'
    await world.submit(second)
    expect((await warmRunners.bound(second)).jobName).to.match(/^ffw-/)
  })

  it('creates a Job when none waits', async () => {
    const second = '0197a3f1-7c4e-7d11-9a55-0242ac120009'
    await world.submit(commandId)
    await world.submit(second)
    await world.clock.runUntil(
      () => world.jobNames().some((name) => name.startsWith('ffc-')),
      5_000,
    )
    expect(world.jobNames().filter((name) => name.startsWith('ffc-'))).to.have.length(1)
  })

  it('gives a command a Job of its own when its node has no room for its size', async () => {
    const forbidden = { status: 403, reason: 'Forbidden', message: 'node has no room' }
    world.server.faults.next({ subresource: 'resize' }, { answer: forbidden }, 9)
    await world.submit(commandId)
    const pod = await warmRunners.bound(commandId)
    const name = `ffc-${commandId}-2`
    expect(await world.clock.runUntil(() => world.jobNames().includes(name), 10_000)).to.equal(true)
    expect((await world.rowOf(commandId)).lostAttempts).to.deep.equal([pod.uid])
    expect(world.notes.join()).to.include('NotResized')
    await world.clock.advance(2_000)
    expect(world.jobNames()).to.not.include(pod.jobName)
  })

  it('the controller does not lose a command whose size comes within two seconds', async () => {
    await world.submit(commandId)
    const pod = await warmRunners.bound(commandId)
    pend(world, pod, 'True')
    await world.clock.advance(1_500)
    pend(world, pod, 'False')
    await world.clock.advance(10_000)
    expect((await world.rowOf(commandId)).attempt).to.equal(pod.uid)
    pend(world, pod, 'True')
    await world.clock.advance(3_000)
    expect((await world.rowOf(commandId)).lostAttempts).to.deep.equal([pod.uid])
  })

  it('a command starts again in a Job of its own when the pod is deleted before it is adopted', async () => {
    world.server.faults.next({ subresource: 'resize' }, 'hang', 9)
    world.server.faults.next({ verb: 'patch', kind: 'Pod' }, 'hang', 9)
    world.server.faults.next({ verb: 'patch', kind: 'Job' }, 'hang', 9)
    await world.submit(commandId)
    const pod = await warmRunners.bound(commandId)
    world.server.cluster.delete('Pod', namespace, pod.name, { gracePeriodSeconds: 0 })
    const name = `ffc-${commandId}-2`
    expect(await world.clock.runUntil(() => world.jobNames().includes(name), 60_000)).to.equal(true)
    expect((await world.rowOf(commandId)).lostAttempts).to.deep.equal([pod.uid])
  })

  for (const fault of faults) {
    it(`brings a command to the same end when each effect on a warm runner is hit by '${fault}'`, async () => {
      const met = (await hit(null, fault, succeed, { warm })).met
      expect(points.filter((point) => !met.has(point))).to.deep.equal([
        'operator.warm_runner_retired',
      ])
      for (const point of met) {
        const { end, left } = await hit(point, fault, succeed, { warm })
        expect({ point, end }).to.deep.equal({ point, end: 'SUCCESS null 1' })
        expect(
          left.map((name) => name.slice(0, 4)),
          point,
        ).to.deep.equal(['ffw-'])
      }
    })
  }
})

async function succeed(world: World): Promise<string> {
  const warmRunners = runWarmRunners(world)
  await world.clock.advance(10_000)
  await world.submit(commandId)
  const name = jobName(commandId, 1)
  const isCold = (): boolean => world.jobNames().includes(name)
  await world.clock.runUntil(() => isCold() || warmRunners.holder(commandId) !== null, 60_000)
  // After a crash the next leader may see the command before the pod has asked again.
  const pod = warmRunners.holder(commandId) ?? { ...(await world.runPod(commandId)), jobName: name }
  await world.clock.advance(10_000)
  await finish(world, pod)
  await world.clock.advance(20_000)
  world.clock.schedule(100_000, () => expireJobs(world))
  return commandId
}

async function finish(world: World, pod: WarmRunnerRun): Promise<void> {
  await world.succeed(commandId, pod.uid)
  pod.complete()
  world.server.cluster.updateStatus('Job', namespace, pod.jobName, (status) => ({
    ...status,
    conditions: [{ type: 'Complete', status: 'True' }],
  }))
  await world.clock.advance(5_000)
}

/** Deletes finished Jobs like the TTL controller. */
function expireJobs(world: World): void {
  for (const { spec, metadata, status } of world.server.cluster.list('Job')) {
    const hasFinished = listIn(status ?? {}, 'conditions').length > 0
    if (!hasFinished || typeof spec?.['ttlSecondsAfterFinished'] !== 'number') continue
    world.server.cluster.delete('Job', namespace, metadata.name)
  }
}

function ffmpegResources(world: World, pod: WarmRunnerRun): unknown {
  const { spec = {} } = world.server.cluster.get('Pod', namespace, pod.name) ?? {}
  const ffmpeg = listIn(spec, 'containers')
    .filter(isJsonObject)
    .find(({ name }) => name === 'ffmpeg')
  return objectIn(objectIn(ffmpeg ?? {}, 'resources'), 'requests')
}

/** The kubelet says whether the size has to wait. */
function pend(world: World, pod: WarmRunnerRun, value: 'True' | 'False'): void {
  world.server.cluster.updateStatus('Pod', namespace, pod.name, (status) => ({
    ...status,
    conditions: [{ type: 'PodResizePending', status: value, reason: 'Deferred' }],
  }))
}
