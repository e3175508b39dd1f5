import { expect } from 'chai'
import { pod } from '../../decide/snapshot.fixture.ts'
import { podStages } from './pod-stages.ts'

describe('stages of a pod', () => {
  const times = {
    created: '2026-01-01T00:00:00Z',
    scheduled: '2026-01-01T00:00:02Z',
    started: '2026-01-01T00:00:05Z',
  }
  const seconds = (stages: ReturnType<typeof podStages>) =>
    Object.fromEntries(stages.map(({ stage, seconds: took }) => [stage, took]))

  it('returns the time to its node, to its start and to its command', () => {
    const claimedAt = new Date('2026-01-01T00:00:05.750Z')
    expect(seconds(podStages(pod({ times }), claimedAt))).to.deep.equal({
      schedule: 2,
      pod_start: 3,
      assign: 0.75,
    })
  })

  it('leaves out what is not known, and returns 0 when a clock was set back', () => {
    const claimedAt = new Date('2026-01-01T00:00:04Z')
    expect(
      seconds(podStages(pod({ times: { ...times, scheduled: null } }), claimedAt)),
    ).to.deep.equal({ assign: 0 })
    expect(seconds(podStages(pod({ times }), null))).to.deep.equal({ schedule: 2, pod_start: 3 })
  })
})
