import { expect } from 'chai'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { pod } from '../../testing/support/operator/snapshot.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { createLearntCapacity } from './learnt-capacity.ts'

const onNode = (uid: string) => pod({ uid })
const unschedulable = (uid: string) =>
  pod({ uid, node: null, phase: 'Pending', unschedulable: 'Insufficient cpu' })

/** Two commands of 4 and 2 vCPUs. */
const accounts = [
  {
    accountId: 'a',
    running: [
      {
        commandId: 'first',
        vcpuCount: 4,
        runningSeconds: 60,
        isEnding: false,
        isStarting: false,
        isSuspended: false,
      },
      {
        commandId: 'second',
        vcpuCount: 2,
        runningSeconds: 60,
        isEnding: false,
        isStarting: false,
        isSuspended: false,
      },
    ],
  },
]

function created() {
  const clock = createVirtualClock()
  const pods = new Map<string, PodFacts[]>([['first', [onNode('first')]]])
  const capacity = createLearntCapacity({ podsOf: (id) => pods.get(id) ?? [], clock })
  return { clock, pods, observe: () => capacity.observe(accounts) }
}

describe('learnt capacity', () => {
  it('is unknown while no pod is Unschedulable for 5 s', async () => {
    const { clock, pods, observe } = created()
    pods.set('second', [unschedulable('second')])
    expect(observe().capacityVcpus).to.equal(null)
    await clock.advance(4_900)
    const { capacityVcpus, unscheduled } = observe()
    expect(capacityVcpus).to.equal(null)
    expect(unscheduled).to.deep.equal({ limit: 64, of: new Map([['a', 1]]) })
  })

  it('is the most vCPUs with a node at a time, until a minute after the last such pod', async () => {
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

  it('is unknown while no pod has a node: the first node may be on its way', async () => {
    const { clock, pods, observe } = created()
    pods.set('first', [unschedulable('first')])
    observe()
    await clock.advance(10_000)
    expect(observe().capacityVcpus).to.equal(null)
    expect(observe().unscheduled.limit).to.equal(2)
  })
})
