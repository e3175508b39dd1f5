import { expect } from 'chai'
import { isJsonObject } from '../../common/json/json-object.ts'
import { jobFor } from '../../operator/resources/job.ts'
import { limitsFor } from '../../operator/resources/limits.ts'
import { specHash } from '../../operator/resources/spec-hash.ts'
import { row } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings } from '../../testing/support/operator/settings.ts'
import { withFlavor, withoutFlavor } from './flavor.ts'
import { admit } from './queue.ts'
import { queuedJob } from './queued-job.ts'
import type { QueuedJob } from './queued-job.ts'

const quotas = new Map([['pro', 4]])
const job = (name: string, changes: Partial<QueuedJob> = {}): QueuedJob => ({
  name,
  queue: 'pro',
  vcpus: 2,
  priority: 0,
  createdAt: `2026-05-01T10:00:0${name}Z`,
  suspended: true,
  ended: false,
  livingPods: 0,
  ...changes,
})
const resumed = (jobs: readonly QueuedJob[]) => admit(jobs, quotas).resumed.map(({ name }) => name)

describe('the queue of the contract', () => {
  it('resumes the oldest as far as the quota goes, and says what the others wait for', () => {
    const { resumed: started, waiting } = admit([job('3'), job('1'), job('2')], quotas)
    expect(started.map(({ name }) => name)).to.deep.equal(['1', '2'])
    expect([...waiting]).to.deep.equal([
      ['3', 'insufficient unused quota for cpu in flavor default, 2 more needed'],
    ])
  })

  it('resumes a higher priority first, and a smaller one beside one that does not fit', () => {
    expect(resumed([job('1'), job('2'), job('3', { priority: 1 })])).to.deep.equal(['3', '1'])
    expect(resumed([job('1', { vcpus: 5 }), job('2')])).to.deep.equal(['2'])
  })

  it('counts what runs, and the pods of what was suspended until they are gone', () => {
    const running = job('1', { suspended: false })
    const ending = job('2', { livingPods: 1 })
    expect(resumed([running, ending, job('3')])).to.deep.equal([])
    expect(resumed([{ ...running, ended: true }, ending, job('3')])).to.deep.equal(['3'])
  })

  it('resumes nothing of a queue that is not there', () => {
    const { resumed: started, waiting } = admit([job('1', { queue: 'free' })], quotas)
    expect(started).to.deep.equal([])
    expect(waiting.get('1')).to.equal("LocalQueue free doesn't exist")
  })

  it('evicts the youngest of the least priority for a higher one, and lets nothing else pass until they are gone', () => {
    const [low, lower] = [job('1', { suspended: false }), job('2', { suspended: false })]
    const urgent = job('3', { priority: 2 })
    expect(admit([low, lower, urgent], quotas)).to.deep.include({ resumed: [], evicted: [lower] })
    const ending = { ...lower, suspended: true, livingPods: 1 }
    const small = job('4', { vcpus: 1, priority: 1 })
    const gone = { ...ending, livingPods: 0 }
    expect(admit([low, ending, urgent], quotas).evicted).to.deep.equal([])
    expect(resumed([{ ...low, vcpus: 1 }, ending, urgent, small])).to.deep.equal([])
    expect(resumed([low, gone, urgent])).to.deep.equal(['3'])
  })

  it('evicts none where all of a lower priority would not be enough, or none has one', () => {
    const running = [job('1', { suspended: false }), job('2', { suspended: false })]
    expect(admit([...running, job('3')], quotas).evicted).to.deep.equal([])
    const large = job('3', { vcpus: 5, priority: 1 })
    expect(admit([...running, large], quotas).evicted).to.deep.equal([])
    expect(resumed([job('1', { suspended: false }), large, job('4')])).to.deep.equal(['4'])
  })

  it('reads the Jobs of the product, and none without the label', () => {
    const kueue = {
      queueName: '{plan}-{account}',
      priorityClasses: { low: null, normal: 'usual', high: 'urgent' },
      maxEvictions: 10,
    }
    const read = (settings: ReturnType<typeof runnerSettings>) => {
      const work = row({ round: 1, vcpuCount: 3 })
      const limits = limitsFor(work, settings)
      const { namespace } = settings
      const owner = { kind: 'FfmpegCommand', namespace, name: 'ffc-x', uid: 'u' } as const
      const manifest = jobFor({ ...work, specHash: specHash(work), limits }, owner, settings)
      const sent = JSON.stringify(manifest, (key, value: unknown) =>
        key === 'metadata' && isJsonObject(value)
          ? { ...value, creationTimestamp: '2026-05-01T10:00:00Z' }
          : value,
      )
      return queuedJob(JSON.parse(sent), 0, new Map([['usual', 7]]))
    }
    expect(read(runnerSettings({ kueue }))).to.include({
      queue: 'small-acme',
      vcpus: 3,
      priority: 7,
      suspended: true,
      ended: false,
    })
    expect(read(runnerSettings())).to.equal(null)
  })

  it('takes the flavor out of the pod as it has put it in', () => {
    const pod = { nodeSelector: { disk: 'fast' }, tolerations: [{ key: 'a' }], containers: [] }
    expect(withFlavor(pod)).to.not.deep.equal(pod)
    expect(withoutFlavor(withFlavor(pod))).to.deep.equal(pod)
  })
})
