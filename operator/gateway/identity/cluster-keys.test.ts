import { expect } from 'chai'
import { createClusterKeys } from './cluster-keys.ts'

const documents: Record<string, unknown> = {
  '/.well-known/openid-configuration': {
    issuer: 'https://kubernetes.default.svc.cluster.local',
    jwks_uri: 'https://10.25.0.2:6443/openid/v1/jwks',
  },
  '/openid/v1/jwks': {
    keys: [{ use: 'sig', kty: 'RSA', kid: 'k', alg: 'RS256', n: 'AQ', e: 'AQAB' }],
  },
}

describe('createClusterKeys', () => {
  const load = (change: Record<string, unknown> = {}) =>
    createClusterKeys({
      call: ({ path }) => Promise.resolve({ ...documents, ...change }[path]),
    }).load()

  it('reads issuer and keys from the API server when its documents name another address', async () => {
    const { issuer, keys } = await load()
    expect(issuer).to.equal('https://kubernetes.default.svc.cluster.local')
    expect(keys.keys.map(({ kid }) => kid)).to.deep.equal(['k'])
  })

  it('rejects issuer documents of another form', async () => {
    for (const change of [{ '/openid/v1/jwks': {} }, { '/.well-known/openid-configuration': [] }]) {
      const error: unknown = await load(change).catch((reason: unknown) => reason)
      expect(error).to.be.instanceOf(Error)
    }
  })
})
