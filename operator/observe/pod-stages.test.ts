import { expect } from 'chai'
import { pod } from '../../testing/support/operator/snapshot.ts'
import { warmRunnerPod } from '../warm/warm-runner.fixture.ts'
import { podStages, startStages } from './pod-stages.ts'

describe('stages of a pod', () => {
  type Times = Record<'created' | 'scheduled' | 'started', string | null>
  const times: Times = {
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

  it('startStages leaves out what is not known, and returns 0 when a clock was set back', () => {
    const claimedAt = new Date('2026-01-01T00:00:04Z')
    expect(
      seconds(podStages(pod({ times: { ...times, scheduled: null } }), claimedAt)),
    ).to.deep.equal({ assign: 0 })
    expect(seconds(podStages(pod({ times }), null))).to.deep.equal({ schedule: 2, pod_start: 3 })
  })

  it('the stages of a pod give the stage that a start ended in its outcome, and the time until then', () => {
    const now = new Date('2026-01-01T00:10:00Z')
    const ended = (changes: Partial<Times>) =>
      startStages(pod({ times: { ...times, ...changes } }), now, 'failed').map(
        ({ stage, outcome, seconds: took }) => `${stage} ${outcome} ${took}`,
      )
    expect(ended({ scheduled: null, started: null })).to.deep.equal(['schedule failed 600'])
    expect(ended({ started: null })).to.deep.equal(['schedule ok 2', 'pod_start failed 598'])
    expect(ended({})).to.deep.equal(['schedule ok 2', 'pod_start ok 3', 'assign failed 595'])
  })

  it('a runner that waited for its command and a pod without times have no stages', () => {
    const none = { created: null, scheduled: null, started: null }
    expect(
      startStages(warmRunnerPod('ffw-0a1b2c3d-1', { times }), new Date(), 'lost'),
    ).to.deep.equal([])
    expect(startStages(pod({ times: none }), new Date(), 'lost')).to.deep.equal([])
  })
})
