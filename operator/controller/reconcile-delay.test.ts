import { expect } from 'chai'
import { command, ended, job, pod } from '../../testing/support/operator/snapshot.ts'
import type { CacheChange } from '../observe/watched-kinds.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { shownStatus } from '../observe/shown-status.ts'
import { reconcileDelayMs } from './reconcile-delay.ts'
import type { Stage } from './reconcile-delay.ts'

describe('reconcileDelayMs', () => {
  const changedJob = (changes: Partial<JobFacts>): CacheChange => ({
    kind: 'Job',
    type: 'modified',
    previous: job(),
    object: job(changes),
  })
  const changedPod = (changes: Partial<PodFacts>): CacheChange => ({
    kind: 'Pod',
    type: 'modified',
    previous: pod(),
    object: pod(changes),
  })
  const changedCommand = (changes: Partial<CommandFacts>): CacheChange => ({
    kind: 'FfmpegCommand',
    type: 'modified',
    previous: command(),
    object: command(changes),
  })
  const terminated = { transfer: ended(0), ffmpeg: ended(0) }
  const ending = { reason: 'BackoffLimitExceeded', message: '' }

  const cases: readonly (readonly [string, CacheChange, Stage, number | null])[] = [
    [
      'a new resource',
      { kind: 'FfmpegCommand', type: 'added', object: command(), previous: null },
      'live',
      0,
    ],
    [
      'a Job that was created',
      { kind: 'Job', type: 'added', object: job(), previous: null },
      'live',
      5_000,
    ],
    [
      'a Job that was created too late',
      { kind: 'Job', type: 'added', object: job(), previous: null },
      'ended',
      0,
    ],
    [
      'a Job that a LIST shows first when it has failed',
      { kind: 'Job', type: 'added', object: job({ ending }), previous: null },
      'live',
      0,
    ],
    [
      'a Job that a LIST shows first when it has finished',
      { kind: 'Job', type: 'added', object: job({ finished: true }), previous: null },
      'live',
      0,
    ],
    [
      'a Job that a LIST shows first when it is being deleted',
      { kind: 'Job', type: 'added', object: job({ deleting: true }), previous: null },
      'live',
      0,
    ],
    [
      'a Job that is found later',
      { kind: 'Job', type: 'added', object: job(), previous: null },
      'released',
      5_000,
    ],
    [
      'a Job that is found without its resource',
      { kind: 'Job', type: 'added', object: job(), previous: null },
      'gone',
      0,
    ],
    ['a cancellation', changedCommand({ cancel: true }), 'live', 0],
    ['a status', changedCommand({ shown: shownStatus({ state: 'PROCESSING' }) }), 'live', 5_000],
    ['a deletion that a user waits for', changedCommand({ deleting: true }), 'released', 0],
    [
      'the end of a resource',
      {
        kind: 'FfmpegCommand',
        type: 'deleted',
        object: command({ deleting: true }),
        previous: null,
      },
      'released',
      5_000,
    ],
    ['the start of a Job', changedJob({}), 'live', 1_500],
    ['a failed Job', changedJob({ ending }), 'live', 0],
    ['a failed Job after the end of its command', changedJob({ ending }), 'ended', 0],
    [
      'a Job that is deleted',
      { kind: 'Job', type: 'deleted', object: job(), previous: null },
      'live',
      0,
    ],
    ['a finished Job', changedJob({ ending, finished: true }), 'released', null],
    [
      'a Job that is deleted after the end of its command',
      { kind: 'Job', type: 'deleted', object: job(), previous: null },
      'ended',
      0,
    ],
    ['a failed Job without its resource', changedJob({ ending }), 'gone', 0],
    ['the start of a Job without its resource', changedJob({}), 'gone', 1_500],
    [
      'a pod that is deleted',
      { kind: 'Pod', type: 'deleted', object: pod(), previous: null },
      'live',
      0,
    ],
    ['a pod that is being deleted', changedPod({ deletion: { graceSeconds: 15 } }), 'live', 0],
    ['a pod that is disrupted', changedPod({ disruption: 'EvictionByEvictionAPI' }), 'live', 0],
    ['a pod that runs without its resource', changedPod({ phase: 'Running' }), 'gone', 5_000],
    ['a pod that has ended without its resource', changedPod({ phase: 'Failed' }), 'gone', 0],
    [
      'a pod that is deleted with its resource',
      { kind: 'Pod', type: 'deleted', object: pod(), previous: null },
      'gone',
      0,
    ],
    ['a pod that has ended later', changedPod({ phase: 'Failed' }), 'released', null],
    [
      'a pod that is found later',
      { kind: 'Pod', type: 'added', object: pod(), previous: null },
      'released',
      5_000,
    ],
    ['a pod that starts', changedPod({ phase: 'Pending' }), 'live', 1_500],
    ['containers that have ended', changedPod(terminated), 'live', 0],
    ['containers that have ended after a report', changedPod(terminated), 'ended', 5_000],
    ['a pod that has ended', changedPod({ ...terminated, phase: 'Succeeded' }), 'ended', 0],
    [
      'a pod that is gone',
      { kind: 'Pod', type: 'deleted', object: pod(), previous: null },
      'ended',
      0,
    ],
    [
      'a pod that is gone after its end',
      { kind: 'Pod', type: 'deleted', object: pod({ phase: 'Succeeded' }), previous: null },
      'ended',
      1_500,
    ],
    [
      'a Job that is gone with its resource',
      { kind: 'Job', type: 'deleted', object: job(), previous: null },
      'gone',
      5_000,
    ],
    [
      'a pod that is gone later',
      { kind: 'Pod', type: 'deleted', object: pod(), previous: null },
      'released',
      5_000,
    ],
  ]
  for (const [name, change, stage, delayMs] of cases) {
    it(`returns ${delayMs} ms for ${name} of a command that is ${stage}`, () => {
      expect(reconcileDelayMs(change, stage)).to.equal(delayMs)
    })
  }

  it('returns 0 and then 1.5 s for the changes of a pod that has ended', () => {
    const end = pod({ ...terminated, phase: 'Succeeded' })
    const later: CacheChange = { kind: 'Pod', type: 'modified', previous: end, object: end }
    expect(reconcileDelayMs(changedPod(end), 'ended')).to.equal(0)
    expect(reconcileDelayMs(later, 'ended')).to.equal(1_500)
  })

  it('returns 250 ms for a warm runner that is being adopted', () => {
    const warmRunner = {
      job: null,
      isBound: true,
      startSeconds: 1,
      size: null,
      isResizable: true,
      resizePending: null,
    }
    expect(reconcileDelayMs(changedPod({ warmRunner }), 'live')).to.equal(250)
  })
})
