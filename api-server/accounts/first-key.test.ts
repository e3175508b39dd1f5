import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createKubeClient } from '../../common/kubernetes/client.ts'
import { createKubeMetrics } from '../../common/kubernetes/kube-metrics.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { createFakeKubeApiserver } from '../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { firstKeyReader, SecretMissing } from './first-key.ts'
import { createKubeSecrets } from './kube-secrets.ts'

const definition = { kind: 'Secret', plural: 'secrets', apiVersion: 'v1', hasStatus: false }

function world() {
  const clock = createVirtualClock()
  const server = createFakeKubeApiserver({ clock, random: () => 0.5, resources: [definition] })
  const client = createKubeClient({
    transport: server.transport,
    clock,
    random: () => 0.5,
    metrics: createKubeMetrics(new Registry()),
  })
  let made = 0
  const deps = {
    secrets: createKubeSecrets(client),
    effects: { failpoint: directly },
    randomBytes: (size: number) => Buffer.alloc(size, (made += 1)),
  }
  const read = (given?: string, place: string | null = 'media/media-bootstrap') =>
    clock.until(
      firstKeyReader(deps, { given, place: place ?? undefined })(new AbortController().signal),
    )
  const create = (more: object = {}) =>
    void server.cluster.create('Secret', 'media', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'media-bootstrap' },
      ...more,
    })
  const stored = () => server.cluster.get('Secret', 'media', 'media-bootstrap')
  return { server, read, create, stored }
}

describe('the first key', () => {
  it('the first key is written into a Secret without data once, and read afterwards', async () => {
    const { read, create, stored } = world()
    create()
    const key = await read()
    expect(key).to.match(/^cff_[\w-]{43}$/)
    expect(stored()).to.deep.include({
      data: { 'api-key': Buffer.from(key ?? '').toString('base64') },
    })
    const { resourceVersion } = stored()?.metadata ?? {}
    expect(await read()).to.equal(key)
    expect(stored()?.metadata.resourceVersion).to.equal(resourceVersion)
  })

  it('the first key is the same for replicas that start together', async () => {
    const { read, create } = world()
    create()
    const keys = await Promise.all([read(), read(), read()])
    expect(new Set(keys).size).to.equal(1)
  })

  it('the first key is the one that an administrator wrote into the Secret, without its line end', async () => {
    const { read, create } = world()
    create({ data: { 'api-key': Buffer.from('cff_of_the_administrator\n').toString('base64') } })
    expect(await read()).to.equal('cff_of_the_administrator')
  })

  it('the first key is made for an empty entry, beside the other entries', async () => {
    const { read, create, stored } = world()
    create({ data: { 'api-key': '', other: 'eA==' } })
    const key = await read()
    expect(stored()).to.deep.include({
      data: { 'api-key': Buffer.from(key ?? '').toString('base64'), other: 'eA==' },
    })
  })

  it('the first key is the one that is given, or none, without a look into the cluster', async () => {
    const { read, server } = world()
    expect(await read('cff_given')).to.equal('cff_given')
    expect(await read(undefined, null)).to.equal(undefined)
    expect(server.calls).to.deep.equal([])
  })

  it('the first key is not made while its Secret does not exist', async () => {
    const { read, server } = world()
    const error: unknown = await read().catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(SecretMissing)
    expect(String(error)).to.include('media/media-bootstrap')
    expect(server.cluster.list('Secret')).to.deep.equal([])
  })
})
