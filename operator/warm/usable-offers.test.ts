import { expect } from 'chai'
import type { Place } from '../machinery/reflector/watched-objects.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { poolHash, warmRunnerJob, warmRunnerPod } from './warm-runner.fixture.ts'
import { usableOffers } from './usable-offers.ts'

const rules = { poolHash, maxAgeSeconds: 1_800, isNodeFull: (node: string) => node === 'full' }

function namesOf(jobs: readonly JobFacts[], pods: readonly PodFacts[], waited = 5): string[] {
  const offers = pods.map(({ metadata }, index) => ({
    podUid: metadata.uid,
    podName: metadata.name,
    waitedSeconds: waited + index,
  }))
  const caches = {
    podByUid: (uid: string) => pods.find(({ metadata }) => metadata.uid === uid) ?? null,
    isGone: () => false,
    warmRunnerPodsOf: (uid: string) =>
      pods.filter(({ warmRunner }) => warmRunner?.job?.uid === uid),
    jobs: {
      get: ({ name }: Place) => jobs.find(({ metadata }) => metadata.name === name) ?? null,
    },
  }
  return usableOffers(offers, caches, rules).map(({ job: each }) => each.metadata.name)
}

describe('usableOffers', () => {
  it('offers a pod that runs and waits', () => {
    expect(namesOf([warmRunnerJob('a')], [warmRunnerPod('a')])).to.deep.equal(['a'])
  })

  it('rejects a pod when anything about it or its Job is in doubt', () => {
    const good = warmRunnerPod('a')
    const cases: Record<string, [JobFacts[], PodFacts[]]> = {
      'no Job': [[], [good]],
      'another Job of that name': [
        [
          warmRunnerJob('a', {
            metadata: { namespace: 'media', name: 'a', uid: 'other', resourceVersion: '1' },
          }),
        ],
        [good],
      ],
      'other settings': [[warmRunnerJob('a', { warmRunner: { poolHash: 'ffffffff' } })], [good]],
      'an owner': [[warmRunnerJob('a', { ownerUid: 'x' })], [good]],
      'a command': [[warmRunnerJob('a', { commandId: 'c', jobGeneration: 1 })], [good]],
      'a Job that goes': [[warmRunnerJob('a', { deleting: true })], [good]],
      'a pod that starts': [[warmRunnerJob('a')], [warmRunnerPod('a', { phase: 'Pending' })]],
      'a pod that goes': [
        [warmRunnerJob('a')],
        [warmRunnerPod('a', { deletion: { graceSeconds: 1 } })],
      ],
      'a pod that is evicted': [
        [warmRunnerJob('a')],
        [warmRunnerPod('a', { disruption: 'Eviction' })],
      ],
      'a node that cannot resize': [
        [warmRunnerJob('a')],
        [warmRunnerPod('a', {}, { isResizable: false })],
      ],
      'a node that has refused': [[warmRunnerJob('a')], [warmRunnerPod('a', { node: 'full' })]],
      'a container that starts': [
        [warmRunnerJob('a')],
        [warmRunnerPod('a', {}, { startSeconds: null })],
      ],
      'a labelled pod': [
        [warmRunnerJob('a')],
        [warmRunnerPod('a', { commandId: 'c', jobGeneration: 1 })],
      ],
    }
    for (const [what, [jobs, pods]] of Object.entries(cases)) {
      expect(namesOf(jobs, pods), what).to.deep.equal([])
    }
    expect(namesOf([warmRunnerJob('a')], [good], 1_798), 'age').to.deep.equal([])
    expect(namesOf([warmRunnerJob('a')], [good], 1_797), 'age').to.deep.equal(['a'])
  })

  it('offers neither of two pods of one Job', () => {
    const twin = warmRunnerPod('a', {
      metadata: { namespace: 'media', name: 'a-2', uid: 'twin', resourceVersion: '1' },
    })
    expect(namesOf([warmRunnerJob('a')], [warmRunnerPod('a'), twin])).to.deep.equal([])
  })

  it('offers from the node with the most of them, and the oldest first', () => {
    const jobs = ['a', 'b', 'c'].map((name) => warmRunnerJob(name))
    const pods = [
      warmRunnerPod('a', { node: 'one' }),
      warmRunnerPod('b', { node: 'two' }),
      warmRunnerPod('c', { node: 'two' }),
    ]
    expect(namesOf(jobs, pods)).to.deep.equal(['c', 'b', 'a'])
  })
})
