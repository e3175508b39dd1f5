import { expect } from 'chai'
import { kubeErrorFrom, lostReply } from '../../common/kubernetes/kube-error.ts'
import { withoutClusterNames } from '../../common/kubernetes/status-message.ts'
import { refusalOf, startWaitOf } from './refusal.ts'

const vap = "ValidatingAdmissionPolicy 'deny' with binding 'deny-all' denied request: not now"
const webhook = 'admission webhook "validate.kyverno.svc-fail" denied the request: not now'
const away = 'Internal error occurred: failed calling webhook "a.b": connection refused'

function answered(status: number, reason: string, message: string, causes: object[] = []): Error {
  const body = { kind: 'Status', reason, message, details: { causes } }
  return kubeErrorFrom('create Job', { status, body, retryAfterMs: null })
}

describe('a create that is refused', () => {
  it('a create is invalid only by a status 422 that names a field of the Job', () => {
    const field = { field: 'spec.template.spec.containers', message: 'Required value' }
    const refusal = refusalOf(answered(422, 'Invalid', 'Job is invalid', [field]))
    expect(refusal).to.include({ reason: 'InvalidJob', permanent: true })
    expect(refusal?.message).to.include('Required value')
  })

  const later: [string, Error, string | null][] = [
    ['a ValidatingAdmissionPolicy', answered(422, 'Invalid', vap, [{ message: vap }]), 'POLICY'],
    [
      'a webhook that names a field',
      answered(422, 'Invalid', webhook, [{ field: 'metadata.labels', message: webhook }]),
      'POLICY',
    ],
    ['a webhook without a code', answered(400, 'BadRequest', webhook), 'POLICY'],
    ['a webhook with 403', answered(403, 'Forbidden', webhook), 'POLICY'],
    ['a webhook that is away', answered(500, 'InternalError', away), 'POLICY'],
    ['a missing permission', answered(403, 'Forbidden', 'cannot create jobs'), 'POLICY'],
    ['a 400 of an unknown kind', answered(400, 'BadRequest', 'bad'), 'POLICY'],
    ['a 422 without a field', answered(422, 'Invalid', 'no'), 'POLICY'],
    ['a lost race for a quota', answered(409, 'Conflict', 'the object was modified'), 'POLICY'],
    ['a ResourceQuota', answered(403, 'Forbidden', 'exceeded quota: q'), 'QUOTA_OF_CLUSTER'],
    [
      'a ResourceQuota that wants limits',
      answered(403, 'Forbidden', 'failed quota: q: must specify limits.cpu'),
      'QUOTA_OF_CLUSTER',
    ],
    [
      'a LimitRange',
      answered(403, 'Forbidden', 'maximum cpu usage per Container is 500m, but limit is 2'),
      'QUOTA_OF_CLUSTER',
    ],
  ]
  for (const [what, error, wait] of later) {
    it(`a create is tried again after the refusal of ${what}, and recorded as ${wait}`, () => {
      const refusal = refusalOf(error)
      expect(refusal).to.include({ permanent: false })
      expect(refusal?.message).to.equal(error.message)
      expect(refusal === null ? null : startWaitOf(refusal)).to.equal(wait)
    })
  }

  it('a create is left to the retries of all requests where the API server did not judge it', () => {
    expect(refusalOf(answered(503, 'ServiceUnavailable', 'etcd is away'))).to.equal(null)
    expect(refusalOf(answered(429, 'TooManyRequests', 'later'))).to.equal(null)
    expect(refusalOf(answered(408, 'Timeout', 'slow'))).to.equal(null)
    expect(refusalOf(lostReply('create Job', new Error('reset')))).to.equal(null)
    expect(refusalOf(new TypeError('a bug'))).to.equal(null)
  })

  it('a refused create is shown to users without the names of what refused it', () => {
    const shown = [
      vap,
      webhook,
      'create Job: 403 Forbidden exceeded quota: inner, requested: pods=1',
    ]
    expect(shown.map(withoutClusterNames)).to.deep.equal([
      'ValidatingAdmissionPolicy denied request: not now',
      'admission webhook denied the request: not now',
      'exceeded quota: requested: pods=1',
    ])
    const limited = `Error creating: pods "a-b" is forbidden: maximum cpu usage per Container is 500m, but limit is 2`
    expect(withoutClusterNames(limited)).to.equal(
      'maximum cpu usage per Container is 500m, but limit is 2',
    )
  })
})
