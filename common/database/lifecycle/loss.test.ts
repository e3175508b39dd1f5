import { expect } from 'chai'
import { lossOf } from './loss.ts'

const row = {
  jobGeneration: 3,
  attempt: 'pod-3',
  final: false,
  chargedLosses: 2,
  lostAttempts: ['pod-1', 'pod-2'],
}
const last = {
  commandId: 'c',
  jobGeneration: 3,
  attempt: 'pod-3',
  podUid: null,
  sameGeneration: false,
  reason: 'SandboxUnavailable',
  charged: true,
  maxAttempts: 3,
}

describe('the end of a command whose attempts are used up', () => {
  const endAfter = (...lossReasons: string[]) => lossOf({ ...row, lossReasons }, last)?.end

  it('says so when no attempt had a node that can confine FFmpeg', () => {
    expect(endAfter('SandboxUnavailable', 'SandboxUnavailable')).to.deep.equal({
      errorStatus: 'RUNNER_LOST',
      errorMessage: 'The runner was lost 3 times: the nodes cannot confine FFmpeg',
    })
  })

  it('blames the nodes for nothing when an attempt was lost otherwise', () => {
    const end = endAfter('NodeLost', 'SandboxUnavailable')
    expect(end?.errorMessage).to.equal('The runner was lost 3 times')
  })
})
