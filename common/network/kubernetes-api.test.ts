import { expect } from 'chai'
import { createApiAddresses } from './kubernetes-api.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { silentLogger } from '../runtime/logger.ts'

const environment = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' }
const slice = (addresses: string[], port = 6443) => ({
  kind: 'EndpointSlice',
  endpoints: addresses.map((address) => ({ addresses: [address] })),
  ports: [{ name: 'https', port }],
})

describe('the addresses of the Kubernetes API', () => {
  function reading(answers: (() => unknown)[]) {
    const clock = createVirtualClock()
    const paths: string[] = []
    const addresses = createApiAddresses({
      kube: {
        call: async ({ path }) => {
          paths.push(path)
          return (answers.shift() ?? (() => slice([])))()
        },
      },
      environment,
      logger: silentLogger,
      effects: { clock, random: () => 0 },
    })
    return { clock, paths, addresses }
  }

  it('the addresses are that of the Service at once, and those of its servers once they are read', async () => {
    const { addresses, clock, paths } = reading([() => slice(['10.250.0.1', 'fd00::a'])])
    expect(addresses.current()).to.deep.equal(['10.96.0.1:443'])
    await addresses.part.start()
    await clock.settle()
    expect(addresses.current()).to.deep.equal([
      '10.96.0.1:443',
      '10.250.0.1:6443',
      '[fd00::a]:6443',
    ])
    expect(paths).to.deep.equal([
      '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
    ])
    await addresses.part.stop()
  })

  it('the addresses follow a server that is replaced, and stay while they cannot be read', async () => {
    const refuse = (): never => {
      throw new Error('unreachable')
    }
    const { addresses, clock } = reading([
      () => slice(['10.250.0.1']),
      refuse,
      () => ({ endpoints: 'all' }),
      () => slice(['10.250.0.2']),
    ])
    await addresses.part.start()
    await clock.settle()
    await clock.advance(3 * 60_000 - 1)
    expect(addresses.current()).to.deep.equal(['10.96.0.1:443', '10.250.0.1:6443'])
    await clock.advance(1)
    expect(addresses.current()).to.deep.equal(['10.96.0.1:443', '10.250.0.2:6443'])
    await addresses.part.stop()
  })

  it('the addresses are that of the Service alone where the servers are not read, and none outside a cluster', async () => {
    const clock = createVirtualClock()
    const deps = { kube: null, logger: silentLogger, effects: { clock, random: () => 0 } }
    const inside = createApiAddresses({ ...deps, environment })
    await inside.part.start()
    await clock.advance(120_000)
    expect(inside.current()).to.deep.equal(['10.96.0.1:443'])
    await inside.part.stop()
    expect(createApiAddresses({ ...deps, environment: {} }).current()).to.deep.equal([])
  })
})
