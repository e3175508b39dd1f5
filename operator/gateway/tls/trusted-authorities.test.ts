import { expect } from 'chai'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createTestAuthority } from '../../../testing/tls/certificates.ts'
import { KubeError } from '../../../common/kubernetes/kube-error.ts'
import { certificatesOf } from './tls-files.ts'
import { createTrustedAuthorities, trustedEverywhere } from './trusted-authorities.ts'

describe('what runners in several namespaces trust', () => {
  const clock = createVirtualClock()
  let old: string
  let fresh: string
  before(async () => {
    old = (await createTestAuthority('old')).ca
    fresh = (await createTestAuthority('fresh')).ca
  })

  const inNamespace = (read: () => string | null) =>
    createTrustedAuthorities({
      configMaps: {
        async get() {
          const text = read()
          const metadata = { name: 'ca', uid: 'u', resourceVersion: '1' }
          return text === null ? null : { metadata, data: { 'ca.crt': text } }
        },
        mergePatch: () => Promise.reject(new Error('another program writes it')),
      },
      namespace: 'n',
      name: 'ca',
      clock,
    })
  const namesOf = async (home: () => string | null, guest: () => string | null) => {
    const all = trustedEverywhere(inNamespace(home), [inNamespace(guest)])
    return (await all.publish(null)).map(({ subject }) => subject)
  }
  const refusing = (errorClass: 'forbidden' | 'transient') => () => {
    throw new KubeError({
      message: 'no',
      errorClass,
      status: 403,
      reason: null,
      retryAfterMs: null,
    })
  }

  it('returns the authorities that runners in all namespaces trust', async () => {
    const subjects = certificatesOf(old).map(({ subject }) => subject)
    expect(
      await namesOf(
        () => old + fresh,
        () => old,
      ),
    ).to.deep.equal(subjects)
  })

  it('does not depend on a guest that is gone or refuses the operator', async () => {
    expect(
      await namesOf(
        () => old + fresh,
        () => null,
      ),
    ).to.have.length(2)
    expect(await namesOf(() => old + fresh, refusing('forbidden'))).to.have.length(2)
  })

  it('is unknown while a guest does not answer, or without the ConfigMap of the service', async () => {
    const problemOf = (home: () => string | null, guest: () => string | null) =>
      namesOf(home, guest).catch((error: unknown) => String(error))
    expect(await problemOf(() => old, refusing('transient'))).to.equal('KubeError: no')
    expect(
      await problemOf(
        () => null,
        () => old,
      ),
    ).to.include('does not exist')
  })
})
