import { expect } from 'chai'
import { kubeErrorFrom, lostReply } from '../../common/kubernetes/kube-error.ts'
import { errorKind, isDefinite, isVerdict, retrySeconds } from './row-failure.ts'
import type { Proof } from './row-failure.ts'

function answered(status: number, reason: string, message = ''): Error {
  const body = { kind: 'Status', reason, message }
  return kubeErrorFrom('create FfmpegCommand', { status, body, retryAfterMs: null })
}

describe('a failed create', () => {
  const always: Proof[] = ['written', 'accepted']
  const cases: [string, unknown, Proof[]][] = [
    ['400', answered(400, 'BadRequest'), always],
    ['413', answered(413, 'RequestEntityTooLarge'), always],
    ['422', answered(422, 'Invalid'), always],
    ['403 of a policy', answered(403, 'Forbidden', 'denied the request'), always],
    ['403 of an exhausted quota', answered(403, 'Forbidden', 'exceeded quota: x'), []],
    ['401', answered(401, 'Unauthorized'), []],
    ['404 of a missing CRD', answered(404, 'NotFound'), []],
    ['429', answered(429, 'TooManyRequests'), []],
    ['500', answered(500, 'InternalError'), ['written']],
    ['503', answered(503, 'ServiceUnavailable'), []],
    ['504', answered(504, 'Timeout'), ['written']],
    ['a lost reply', lostReply('create FfmpegCommand', new Error('reset')), ['written']],
    ['a bug', new TypeError('x'), ['written']],
  ]
  for (const [what, error, proofs] of cases) {
    const when = proofs.length === 0 ? 'never' : `only when the cluster has ${proofs.join(' or ')}`
    it(`counts ${what} against the row ${when}`, () => {
      const all: Proof[] = ['written', 'accepted', 'refused', 'away']
      expect(all.filter((proof) => isDefinite(error, proof))).to.deep.equal(proofs)
    })
  }

  it('ends the row after five definite errors over a minute', () => {
    expect(isVerdict({ definite: 5, errorSeconds: 60 })).to.equal(true)
    expect(isVerdict({ definite: 4, errorSeconds: 600 })).to.equal(false)
    expect(isVerdict({ definite: 50, errorSeconds: 59 })).to.equal(false)
  })

  it('a failed create is retried after 0.5 s, doubled each time up to a minute, with 25 % jitter', () => {
    const tries = Array.from({ length: 9 }, (_, index) => index)
    const middle = tries.map((index) => retrySeconds(index, 0.5))
    expect(middle).to.deep.equal([0.5, 1, 2, 4, 8, 16, 32, 60, 60])
    expect([retrySeconds(3, 0), retrySeconds(3, 1)]).to.deep.equal([3, 5])
    expect(retrySeconds(10_000, 0.5)).to.equal(60)
  })

  it('a failed create is named to clients by status and reason, without the message of the cluster', () => {
    expect(errorKind(answered(500, 'InternalError', 'webhook "a.b" failed'))).to.equal(
      '500 InternalError',
    )
    expect(errorKind(lostReply('create', new Error('reset')))).to.equal('no answer')
    expect(errorKind(new TypeError('x'))).to.equal('TypeError')
  })
})
