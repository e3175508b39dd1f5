import { expect } from 'chai'
import { parseJob } from '../../common/kubernetes/resources/jobs.ts'
import { parsePod } from '../../common/kubernetes/resources/pods.ts'
import { commandId, podUid, runningRow } from '../../testing/support/operator/snapshot.ts'
import { runnerSettings, warmSettings } from '../../testing/support/operator/settings.ts'
import { commandLabels } from '../resources/job.ts'
import { warmRunnerJobFor } from '../resources/warm-runner-job.ts'
import { withWarmRunner } from './bound-warm-runner.ts'
import { jobFacts } from './job-facts.ts'
import { podFacts } from './pod-facts.ts'

const manifest = warmRunnerJobFor(runnerSettings(), warmSettings(), 3)
const { name } = manifest.metadata
const bound = {
  ...commandLabels({ commandId, accountName: 'acme', jobGeneration: 1 }),
  'cloudffmpeg.dev/standby': 'bound',
}

function jobWith(labels: Record<string, string> = {}) {
  const metadata = { name, uid: 'job', resourceVersion: '2' }
  const worn = { ...manifest.metadata.labels, ...labels }
  return jobFacts(parseJob({ metadata: { ...metadata, labels: worn }, spec: manifest.spec }))
}

function podWith(labels: Record<string, string> = {}, status: object = {}) {
  const { template } = manifest.spec
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name, uid: 'job', controller: true }
  const metadata = { name: `${name}-abcde`, uid: podUid, resourceVersion: '2' }
  return podFacts(
    parsePod({
      metadata: {
        ...metadata,
        labels: { ...template.metadata?.labels, ...labels },
        ownerReferences: [owner],
      },
      spec: template.spec,
      status,
    }),
  )
}

describe('facts of a warm runner', () => {
  it('the facts of a warm runner name no command until its objects have the labels of one', () => {
    expect(jobWith()).to.include({ commandId: null, jobGeneration: 0, ownerUid: null })
    expect(jobWith(bound)).to.include({ commandId, jobGeneration: 1 })
    expect(podWith()).to.include({ commandId: null, jobGeneration: 0 })
    expect(podWith(bound)).to.include({ commandId, jobGeneration: 1 })
    expect(podWith().warmRunner).to.include({ isBound: false })
    expect(podWith(bound).warmRunner).to.deep.include({ isBound: true, job: { name, uid: 'job' } })
  })

  it('the facts of a warm runner say how long its containers took to start, by the clock of its node', () => {
    const started = (startTime: string, startedAt: string | undefined) =>
      podWith(
        {},
        {
          startTime,
          containerStatuses: [{ name: 'transfer', state: { running: { startedAt } } }],
        },
      ).warmRunner?.startSeconds
    const start = '2026-05-01T10:00:00Z'
    expect(started(start, '2026-05-01T10:01:35Z')).to.equal(96)
    expect(started(start, '2026-05-01T09:59:00Z')).to.equal(1)
    expect(started(start, undefined)).to.equal(null)
    expect(podWith().warmRunner?.startSeconds).to.equal(null)
    const startedAt = '2026-05-01T10:00:01Z'
    const ended = [{ name: 'transfer', state: { terminated: { exitCode: 0, startedAt } } }]
    const { warmRunner } = podWith({}, { startTime: start, containerStatuses: ended })
    expect(warmRunner?.startSeconds).to.equal(null)
  })

  it('the facts of a warm runner say whether its node can change its size, and why it does not', () => {
    const containerStatuses = [{ name: 'ffmpeg', state: {}, resources: {} }]
    expect(podWith().warmRunner?.isResizable).to.equal(false)
    expect(podWith({}, { containerStatuses }).warmRunner?.isResizable).to.equal(true)
    const conditions = [
      { type: 'PodResizePending', status: 'True', reason: 'Deferred', message: 'no room' },
    ]
    expect(podWith({}, { conditions }).warmRunner?.resizePending).to.deep.equal({
      reason: 'Deferred',
      message: 'no room',
    })
  })
})

describe('withWarmRunner', () => {
  const nothing = { jobs: [], pods: [], gonePods: [] }
  const row = runningRow({ warmRunnerJob: name, waitedSeconds: 3 })
  const caches = (isGone: boolean, labels = {}) => ({
    home: 'media',
    jobs: { get: () => jobWith(labels) },
    attemptPod: () => ({ pod: podWith(labels), isGone }),
  })

  it('adds Job and pod that the row alone names, as those of the command', () => {
    const seen = withWarmRunner(nothing, row, caches(false))
    expect(seen.jobs[0]).to.include({ commandId, jobGeneration: 1 })
    expect(seen.pods[0]).to.include({ commandId, jobGeneration: 1 })
    const gone = withWarmRunner(nothing, row, caches(true))
    expect(gone.pods).to.deep.equal([])
    expect(gone.gonePods[0]).to.include({ commandId, jobGeneration: 1 })
  })

  it('adds nothing that is found by its labels, and nothing to a command with a Job of its own', () => {
    expect(withWarmRunner(nothing, row, caches(false, bound))).to.deep.equal(nothing)
    expect(withWarmRunner(nothing, runningRow(), caches(false))).to.deep.equal(nothing)
  })
})
