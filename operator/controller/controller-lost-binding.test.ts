import { expect } from 'chai'
import { jobName, labels } from '../../common/domain/resource-names.ts'
import { commandId } from '../../testing/support/operator/snapshot.ts'
import { warmSettings } from '../../testing/support/operator/settings.ts'
import { createWorld } from './controller.fixture.ts'
import { namespace } from './world-parts.fixture.ts'
import type { World } from './controller.fixture.ts'
import { runWarmRunners } from './warm-runner-pods.fixture.ts'
import type { WarmRunnerRun } from './warm-runner-pods.fixture.ts'

const warm = warmSettings({ min: 1, max: 1 })
/** The reply is lost, and the pod sends its next request when the database has lost the commit. */
const againMs = 8_000
const forbidden = { status: 403, reason: 'Forbidden', message: 'a policy refuses it' }
const second = '0197a3f1-7c4e-7d11-9a55-0242ac120009'

/** States of the binding in the cluster when the database is restored to a time before it. */
const cases = {
  'Job and pod have the labels of the command': { refused: [], marked: ['Job', 'Pod'] },
  'its Job alone has them': { refused: ['Pod'], marked: ['Job'] },
  'its pod alone has them': { refused: ['Job'], marked: ['Pod'] },
  'neither has them': { refused: ['Job', 'Pod'], marked: [] },
} as const

describe('controller, with a database that has lost the binding of a warm runner', () => {
  let world: World
  let warmRunners: ReturnType<typeof runWarmRunners>
  let restore: (() => void) | null

  beforeEach(async () => {
    restore = null
    world = createWorld(
      (name, effect) => {
        if (name === 'operator.warm_runner_bound') restore ??= world.remember()
        return effect()
      },
      {},
      { runner: { warm } },
    )
    warmRunners = runWarmRunners(world, { againMs })
    await world.start()
    await world.clock.advance(5_000)
  })

  afterEach(() => world.stop())

  for (const [what, { refused, marked }] of Object.entries(cases)) {
    it(`gives its pod no other command and leaves none behind when ${what}`, async () => {
      const [first = ''] = world.jobNames()
      const names = { Job: first, Pod: `${first}-aaaaa` }
      for (const kind of refused) {
        const of = { verb: 'patch', kind, name: names[kind], subresource: null } as const
        world.server.faults.next(of, { answer: forbidden }, 99)
      }
      await world.submit(commandId)
      await world.clock.runUntil(() => restore !== null, 5_000)
      await world.clock.advance(2_000)
      expect(labelled(names)).to.deep.equal(marked)
      restore?.()
      await world.clock.advance(60_000)
      await world.submit(second)
      await world.clock.advance(30_000)
      // Only a pod that shows nothing of the command is given another one.
      expect((await warmRunners.bound(second)).jobName === first).to.equal(marked.length === 0)
      await end(await holderOf(commandId), commandId)
      await end(await holderOf(second), second)
      await world.clock.advance(30_000)
      const left = world.jobNames().filter((name) => name.startsWith('ffw-'))
      expect(left).to.have.length(1)
      expect(left).to.not.include(first)
      for (const id of [commandId, second]) {
        expect((await world.rowOf(id)).status).to.equal('SUCCESS')
      }
    })
  }

  /** Kinds whose object has the labels of the command. */
  function labelled(names: Readonly<Record<'Job' | 'Pod', string>>): string[] {
    return Object.entries(names).flatMap(([kind, name]) => {
      const found = world.server.cluster.get(kind, namespace, name)
      return found?.metadata.labels?.[labels.commandId] === commandId ? [kind] : []
    })
  }

  /** Starts the pod of a Job that was created for the command, if no warm runner has it. */
  async function holderOf(id: string): Promise<WarmRunnerRun> {
    const warmPod = warmRunners.holder(id)
    const { attempt, jobGeneration } = await world.rowOf(id)
    if (warmPod !== null && attempt === warmPod.uid) return warmPod
    const name = jobName(id, jobGeneration)
    const pod = await world.pod(name)
    await world.store.claimAttempt({ commandId: id, jobGeneration, podUid: pod.uid })
    return { ...pod, jobName: name }
  }

  async function end(pod: WarmRunnerRun, id: string): Promise<void> {
    await world.succeed(id, pod.uid)
    pod.complete()
    world.server.cluster.updateStatus('Job', namespace, pod.jobName, (status) => ({
      ...status,
      conditions: [{ type: 'Complete', status: 'True' }],
    }))
    await world.clock.advance(5_000)
    world.server.cluster.delete('Job', namespace, pod.jobName)
  }
})
