import { expect } from 'chai'
import { instanceOf } from '../host/instance.ts'
import { conflictingRoute, parseRoutes } from './addresses-in-use.ts'

const instance = instanceOf('test')

describe('addresses in use', () => {
  it('the addresses in use are read from ip route, without defaults and IPv6', () => {
    const json = JSON.stringify([
      { dst: 'default', gateway: '192.0.2.1', dev: 'eth0', flags: [] },
      { dst: '192.0.2.0/24', dev: 'eth0' },
      { type: 'local', dst: '192.0.2.2', dev: 'eth0' },
      { dst: 'fe80::/64', dev: 'eth0' },
    ])
    expect(parseRoutes(json)).to.deep.equal([
      { destination: '192.0.2.0/24', device: 'eth0' },
      { destination: '192.0.2.2/32', device: 'eth0' },
    ])
  })

  it('addresses conflict where another device has part of them', () => {
    const company = { destination: '10.251.0.128/25', device: 'wg0' }
    const wider = { destination: '10.240.0.0/12', device: 'wg0' }
    const half = { destination: '0.0.0.0/1', device: 'tun0' }
    const own = { destination: '10.251.0.0/24', device: instance.hostInterface }
    const quickstart = { destination: '10.250.0.0/24', device: 'cf-quickstart-h' }
    expect(conflictingRoute(instance, [own, quickstart, half])).to.equal(undefined)
    expect(conflictingRoute(instance, [own, company])).to.equal(company)
    expect(conflictingRoute(instance, [wider])).to.equal(wider)
  })
})
