import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { job as aJob, pod } from '../../testing/support/operator/snapshot.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { placementOf } from './placement.ts'
import { createLearntCapacity } from './learnt-capacity.ts'

const onNode = (uid: string) => pod({ uid })
const unschedulable = (uid: string) =>
  pod({ uid, node: null, phase: 'Pending', unschedulable: 'Insufficient cpu' })

const job = (commandId: string) =>
  aJob({ metadata: { ...aJob().metadata, uid: `job-${commandId}` } })

interface World {
  /** vCPUs of each command of the account, in the order of their admission. */
  readonly commands?: Readonly<Record<string, number>>
  readonly unplacedPods?: number
}

function created({ commands = { first: 4, second: 2 }, unplacedPods = 2 }: World = {}) {
  const clock = createVirtualClock()
  const pods = new Map<string, PodFacts[]>([['first', [onNode('first')]]])
  const podless = new Set<string>()
  const begun = new Set<string>()
  const refused = new Map<string, string>()
  const capacity = createLearntCapacity({
    clock,
    unplacedPods,
    passSeconds: 300,
    placementOf: (command) =>
      placementOf(
        {
          caches: {
            podsOf: (id) => pods.get(id) ?? [],
            jobsOf: (id) => (podless.has(id) ? [job(id)] : []),
          },
          refusalOf(id) {
            const message = refused.get(id)
            return message === undefined ? null : { reason: 'Forbidden', message }
          },
          secondsWithoutPod: () => 10,
          podRefusalOf: () => 'exceeded quota: pods',
        },
        command,
      ),
  })
  const running = () =>
    Object.entries(commands).map(([commandId, vcpuCount]) => ({
      commandId,
      vcpuCount,
      runningSeconds: 60,
      jobGeneration: 1,
      isNew: !begun.has(commandId),
      isEnding: false,
      isStarting: false,
    }))
  const observe = () => capacity.observe([{ accountId: 'a', running: running() }])
  const surplus = () => observe().surplus.map(({ commandId }) => commandId)
  return { clock, pods, podless, begun, refused, observe, surplus }
}

describe('learnt capacity', () => {
  it('the learnt capacity is unknown while no pod is Unschedulable for 5 s', async () => {
    const { clock, pods, observe } = created()
    pods.set('second', [unschedulable('second')])
    expect(observe().capacityVcpus).to.equal(null)
    await clock.advance(4_900)
    const { capacityVcpus, unscheduled } = observe()
    expect(capacityVcpus).to.equal(null)
    expect(unscheduled).to.deep.include({ limit: 64, of: new Map([['a', 1]]) })
  })

  it('the learnt capacity is the most vCPUs with a node at a time, until a minute after the last such pod', async () => {
    const { clock, pods, observe } = created()
    pods.set('second', [unschedulable('second')])
    observe()
    await clock.advance(5_000)
    expect(observe()).to.deep.include({ capacityVcpus: 4 })
    expect(observe().unscheduled.limit).to.equal(2)
    pods.set('second', [onNode('second')])
    await clock.advance(1_000)
    expect(observe().capacityVcpus).to.equal(6)
    pods.delete('first')
    await clock.advance(58_000)
    expect(observe().capacityVcpus).to.equal(6)
    await clock.advance(2_000)
    expect(observe().capacityVcpus).to.equal(null)
  })

  it('the learnt capacity is unknown while no pod has a node: the first node may be on its way', async () => {
    const { clock, pods, observe } = created()
    pods.set('first', [unschedulable('first')])
    observe()
    await clock.advance(10_000)
    expect(observe().capacityVcpus).to.equal(null)
    expect(observe().unscheduled.limit).to.equal(2)
  })

  it('a pod without a node for a minute does not count, nor what it seemed to show', async () => {
    const { clock, pods, observe } = created()
    pods.set('second', [unschedulable('second')])
    observe()
    await clock.advance(59_000)
    expect(observe()).to.deep.include({ capacityVcpus: 4, stuckVcpus: 0 })
    await clock.advance(1_000)
    expect(observe()).to.deep.include({ capacityVcpus: null, stuckVcpus: 2 })
    expect(observe().unscheduled.stuck).to.deep.equal(new Set(['second']))
    expect(observe().unscheduled.limits?.get('a')).to.equal(2)
  })

  it('returns the commands of an account beyond its unplaced pods', async () => {
    const commands = { first: 1, p2: 1, p3: 1, p4: 1, p5: 1 }
    const { clock, pods, begun, surplus } = created({ commands })
    for (const id of ['p2', 'p3', 'p4', 'p5']) pods.set(id, [unschedulable(id)])
    expect(surplus()).to.deep.equal([])
    await clock.advance(5_000)
    expect(surplus()).to.deep.equal(['p4', 'p5'])
    begun.add('p4')
    expect(surplus()).to.not.include('p4')
  })

  it('leaves as many pods out as operator.unplacedPods says', async () => {
    const commands = { first: 1, second: 1, third: 1 }
    const { clock, pods, surplus } = created({ commands, unplacedPods: 3 })
    for (const id of ['first', 'second', 'third']) pods.set(id, [unschedulable(id)])
    surplus()
    await clock.advance(5_000)
    expect(surplus()).to.deep.equal([])
  })

  it('leaves one refused command of an account out, so that no later one takes its room', async () => {
    const commands = { first: 1, second: 1, third: 1 }
    const { clock, pods, podless, observe, surplus } = created({ commands })
    podless.add('second').add('third')
    expect(surplus()).to.deep.equal(['third'])
    expect(observe().unscheduled.limits?.get('a')).to.equal(1)
    expect(observe().words.get('a')).to.equal('exceeded quota: pods')
    podless.clear()
    pods.set('second', [onNode('second')])
    pods.set('third', [])
    await clock.advance(59_000)
    expect(observe().unscheduled.limits?.get('a')).to.equal(1)
    await clock.advance(1_000)
    expect(observe().unscheduled.limits?.get('a')).to.equal(undefined)
  })

  it('lets others pass a command that is refused for as long as a larger one is passed', async () => {
    const { clock, podless, observe } = created({ commands: { first: 1, second: 1, third: 1 } })
    podless.add('second')
    observe()
    await clock.advance(300_000)
    expect(observe().unscheduled.limits?.get('a')).to.equal(2)
  })

  it('learns nothing about the capacity from a Job that a policy refuses', async () => {
    const { clock, refused, observe } = created()
    refused.set('second', 'a webhook denied the request')
    observe()
    await clock.advance(10_000)
    expect(observe().capacityVcpus).to.equal(null)
    expect(observe().unscheduled.limits?.get('a')).to.equal(1)
  })
})
