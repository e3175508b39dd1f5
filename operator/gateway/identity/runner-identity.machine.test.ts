import { expect } from 'chai'
import { gatewayAudience } from '../../../common/domain/resource-names.ts'
import { systemClock } from '../../../common/runtime/system-effects.ts'
import { testCluster } from './cluster.fixture.ts'
import { createRunnerIdentity } from './runner-identity.ts'

const commandId = '01900000-0000-7000-8000-000000000001'
const podName = `ffc-${commandId}-2-abcde`
const pod = { podName, podUid: 'pod-uid' }

describe('createRunnerIdentity', () => {
  const open = async (place: string | null = null) => {
    const cluster = await testCluster()
    const identity = createRunnerIdentity({
      clusterKeys: cluster.keys,
      clock: systemClock,
      audience: gatewayAudience,
      namespaces: ['media', 'team'],
      serviceAccount: 'runner',
      namespaceOf: () => place,
    })
    const verify = async (token: Promise<string>) => identity.verify(`Bearer ${await token}`)
    return { cluster, identity, verify }
  }

  it('reads command, generation and attempt from the signed name of the pod', async () => {
    const { cluster, verify } = await open()
    expect(await verify(cluster.token(pod))).to.deep.equal({
      kind: 'runner',
      runner: { commandId, jobGeneration: 2, podUid: 'pod-uid', podName },
    })
  })

  it('knows a warm runner by the signed name of its pod, which holds no command', async () => {
    const { cluster, verify } = await open()
    const warmRunner = { podName: 'ffw-0a1b2c3d-12-abcde', podUid: 'pod-uid' }
    expect(await verify(cluster.token(warmRunner))).to.deep.equal({
      kind: 'warmRunner',
      warmRunner,
    })
    for (const podName of ['ffw-0a1b2c3-12-abcde', 'ffw-0a1b2c3d-0-abcde', 'ffw-0a1b2c3d-1']) {
      expect((await verify(cluster.token({ ...warmRunner, podName }))).kind).to.equal('foreign')
    }
    const subject = 'system:serviceaccount:media:default'
    expect((await verify(cluster.token({ ...warmRunner, subject }))).kind).to.equal('foreign')
  })

  it('rejects a token that is not valid for this cluster and this audience', async () => {
    const { cluster, identity, verify } = await open()
    expect((await identity.verify(null)).kind).to.equal('invalid')
    expect((await identity.verify('Basic abc')).kind).to.equal('invalid')
    expect((await identity.verify('Bearer not-a-token')).kind).to.equal('invalid')
    const wrong = [
      { ...pod, audience: 'https://kubernetes.default.svc' },
      { ...pod, issuer: 'https://other.example' },
      { ...pod, expires: '-1h' },
    ]
    for (const claims of wrong) {
      expect((await verify(cluster.token(claims))).kind, JSON.stringify(claims)).to.equal('invalid')
    }
    const forged = cluster.token(pod, await cluster.forger())
    expect((await verify(forged)).kind).to.equal('invalid')
  })

  it('rejects an unsigned token', async () => {
    const { cluster, identity } = await open()
    const [, payload = ''] = (await cluster.token(pod)).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    expect((await identity.verify(`Bearer ${header}.${payload}.`)).kind).to.equal('invalid')
  })

  it('rejects the token of a pod that is not a runner', async () => {
    const { cluster, verify } = await open()
    const foreign = [
      { ...pod, subject: 'system:serviceaccount:media:default' },
      { ...pod, subject: 'system:serviceaccount:other:runner' },
      { ...pod, podName: 'api-server-0' },
      { ...pod, podName: `ffc-${commandId}-0-abcde` },
    ]
    for (const claims of foreign) {
      expect((await verify(cluster.token(claims))).kind, JSON.stringify(claims)).to.equal('foreign')
    }
  })

  it('accepts a pod of another watched namespace for the commands of that namespace alone', async () => {
    const subject = 'system:serviceaccount:team:runner'
    const kindAt = async (place: string | null, claims = pod) => {
      const { cluster, verify } = await open(place)
      return (await verify(cluster.token({ ...claims, subject }))).kind
    }
    expect(await kindAt('team')).to.equal('runner')
    expect(await kindAt('media')).to.equal('foreign')
    expect(await kindAt(null)).to.equal('unseen')
    const warmRunner = { podName: 'ffw-0a1b2c3d-12-abcde', podUid: 'pod-uid' }
    expect(await kindAt('team', warmRunner)).to.equal('foreign')
  })

  it('finds a rotated key with one request, and sends one request for an unknown key', async () => {
    const { cluster, verify } = await open()
    await verify(cluster.token(pod))
    expect(cluster.loads()).to.equal(1)
    await cluster.rotate('key-2')
    expect((await verify(cluster.token(pod))).kind).to.equal('runner')
    expect(cluster.loads()).to.equal(2)
    const forger = { ...(await cluster.forger()), keyId: 'unheard-of' }
    for (let i = 0; i < 3; i += 1) {
      expect((await verify(cluster.token(pod, forger))).kind).to.equal('invalid')
    }
    expect(cluster.loads()).to.equal(3)
  })

  it('neither accepts nor rejects a token while the keys are unavailable, and accepts it afterwards', async () => {
    const cluster = await testCluster()
    let away = true
    const identity = createRunnerIdentity({
      clusterKeys: {
        load: () => (away ? Promise.reject(new Error('away')) : cluster.keys.load()),
      },
      clock: systemClock,
      audience: gatewayAudience,
      namespaces: ['media'],
      serviceAccount: 'runner',
      namespaceOf: () => null,
    })
    const token = `Bearer ${await cluster.token(pod)}`
    const error: unknown = await identity.verify(token).catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'away')
    away = false
    expect((await identity.verify(token)).kind).to.equal('runner')
  })
})
