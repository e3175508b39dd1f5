import { expect } from 'chai'
import { command, ended, job, pod } from '../decide/snapshot.fixture.ts'
import type { CacheChange } from '../observe/caches.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import { shownStatus } from '../observe/shown-status.ts'
import { reconcileDelayMs } from './urgency.ts'
import type { Stage } from './urgency.ts'

describe('reconcileDelayMs', () => {
  const changedJob = (changes: Partial<JobFacts>): CacheChange => ({
    ...{ kind: 'Job', type: 'modified', previous: job() },
    object: job(changes),
  })
  const changedPod = (changes: Partial<PodFacts>): CacheChange => ({
    ...{ kind: 'Pod', type: 'modified', previous: pod() },
    object: pod(changes),
  })
  const changedCommand = (changes: Partial<CommandFacts>): CacheChange => ({
    ...{ kind: 'FfmpegCommand', type: 'modified', previous: command() },
    object: command(changes),
  })
  const terminated = { transfer: ended(0), ffmpeg: ended(0) }
  const ending = { reason: 'BackoffLimitExceeded', message: '' }

  const cases: readonly (readonly [string, CacheChange, Stage, number])[] = [
    [
      'a new resource',
      { kind: 'FfmpegCommand', type: 'added', object: command(), previous: null },
      'live',
      0,
    ],
    ['a cancellation', changedCommand({ cancel: true }), 'live', 0],
    ['a status', changedCommand({ shown: shownStatus({ state: 'PROCESSING' }) }), 'live', 1_000],
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
      1_000,
    ],
    ['the start of a Job', changedJob({ startTime: '2026-05-01T10:00:00Z' }), 'live', 1_000],
    ['a failed Job', changedJob({ ending }), 'live', 0],
    ['a failed Job after the end of its command', changedJob({ ending }), 'ended', 0],
    [
      'a Job that is deleted',
      { kind: 'Job', type: 'deleted', object: job(), previous: null },
      'live',
      0,
    ],
    ['a finished Job', changedJob({ ending, finished: true }), 'released', 1_000],
    ['a pod that starts', changedPod({ phase: 'Pending' }), 'live', 1_000],
    ['containers that have ended', changedPod(terminated), 'live', 0],
    ['containers that have ended after a report', changedPod(terminated), 'ended', 1_000],
    ['a pod that has ended', changedPod({ ...terminated, phase: 'Succeeded' }), 'ended', 0],
    [
      'a pod that is gone',
      { kind: 'Pod', type: 'deleted', object: pod(), previous: null },
      'ended',
      0,
    ],
    [
      'a pod that is gone later',
      { kind: 'Pod', type: 'deleted', object: pod(), previous: null },
      'released',
      1_000,
    ],
  ]
  for (const [name, change, stage, delayMs] of cases) {
    it(`returns ${delayMs} ms for ${name} of a command that is ${stage}`, () => {
      expect(reconcileDelayMs(change, stage)).to.equal(delayMs)
    })
  }

  it('returns 250 ms for a standby that is being adopted', () => {
    const standby = {
      ...{ job: null, isBound: true, startSeconds: 1, size: null },
      ...{ isResizable: true, resizePending: null },
    }
    expect(reconcileDelayMs(changedPod({ standby }), 'live')).to.equal(250)
  })
})
