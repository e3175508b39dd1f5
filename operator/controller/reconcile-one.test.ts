import { expect } from 'chai'
import { KubeError } from '../../common/kubernetes/kube-error.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { retryLaterMs } from './reconcile-one.ts'

function kubeError(errorClass: 'transient' | 'throttled' | 'invalid', retryAfterMs: number | null) {
  return new KubeError({ message: '', errorClass, status: null, reason: null, retryAfterMs })
}

describe('retryLaterMs', () => {
  it('returns seconds when the database or the API server is unavailable', () => {
    expect(retryLaterMs(new DatabaseUnavailable(null), 0.99)).to.be.below(2_000)
    expect(retryLaterMs(kubeError('transient', null), 0.99)).to.be.below(6_000)
  })

  it('returns at least the delay of Retry-After', () => {
    expect(retryLaterMs(kubeError('throttled', 30_000), 0)).to.equal(30_000)
  })

  it('returns null for an error that is about the command', () => {
    expect(retryLaterMs(kubeError('invalid', null), 0)).to.equal(null)
    expect(retryLaterMs(new TypeError('bug'), 0)).to.equal(null)
  })
})
