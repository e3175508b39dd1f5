import { expect } from 'chai'
import { policyActionFor } from './failure-policy.ts'
import type { PolicyAction } from './failure-policy.ts'

type Pod = Parameters<typeof policyActionFor>[0]
const none: Pod = {
  disrupted: false,
  transferExitCode: null,
  ffmpegExitCode: null,
  isQueued: false,
}

describe('policyActionFor', () => {
  const table: [string, Partial<Pod>, PolicyAction][] = [
    [
      'ignores a drained pod, for any exit code',
      { disrupted: true, transferExitCode: 31 },
      'Ignore',
    ],
    [
      'fails the Job after a recorded failure of the service',
      { transferExitCode: 29, ffmpegExitCode: 0 },
      'FailJob',
    ],
    [
      'fails the Job after a recorded failure whose other container has failed',
      { transferExitCode: 29, ffmpegExitCode: 1 },
      'FailJob',
    ],
    [
      'fails the Job after a failure that an earlier runner reported',
      { transferExitCode: 23 },
      'FailJob',
    ],
    ['fails the Job after a SIGTERM without a disruption', { transferExitCode: 31 }, 'FailJob'],
    [
      'ignores a SIGTERM where Kueue suspends the Job',
      { transferExitCode: 31, isQueued: true },
      'Ignore',
    ],
    ['ignores a second pod', { transferExitCode: 30 }, 'Ignore'],
    [
      'fails the Job of a killed ffmpeg container',
      { transferExitCode: 44, ffmpegExitCode: 137 },
      'FailJob',
    ],
    ['counts a crash of transfer', { transferExitCode: 42, ffmpegExitCode: 1 }, 'Count'],
    ['counts a killed transfer', { transferExitCode: 137, ffmpegExitCode: 1 }, 'Count'],
    ['counts a pod without exit codes', {}, 'Count'],
  ]
  for (const [name, pod, action] of table) {
    it(name, () => {
      expect(policyActionFor({ ...none, ...pod })).to.equal(action)
    })
  }
})
