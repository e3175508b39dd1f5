import { expect } from 'chai'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { instanceOf } from './instance.ts'

const names = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)

describe('an instance', () => {
  it('keeps the fixed addresses of quickstart and test', () => {
    expect(instanceOf('quickstart').hostAddress).to.equal('10.250.0.1')
    expect(instanceOf('test').hostAddress).to.equal('10.251.0.1')
    expect(instanceOf('test').nodeAddress).to.equal('10.251.0.2')
    expect(instanceOf('quickstart').serviceCidr).to.equal('10.96.0.0/20')
    expect(instanceOf('test').serviceCidr).to.equal('10.96.16.0/20')
  })

  it('an instance has valid addresses, and interface names that Linux accepts, for any name', () => {
    fc.assert(
      fc.property(names, (name) => {
        const instance = instanceOf(name)
        for (const cidr of [instance.linkCidr, instance.podCidr, instance.serviceCidr]) {
          expect(ipaddr.IPv4.isValidCIDR(cidr)).to.equal(true)
          expect(ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()).to.equal(cidr.split('/')[0])
        }
        expect(instance.hostInterface.length).to.be.at.most(15)
        expect(instance.kindPublishedPort).to.be.within(30_000, 32_767)
      }),
    )
  })

  it('shares no network with quickstart or test, nor do these two', () => {
    fc.assert(
      fc.property(names, (name) => {
        const all = new Set(['quickstart', 'test', name])
        const networks = [...all].flatMap((each) => {
          const { linkCidr, podCidr, serviceCidr } = instanceOf(each)
          return [linkCidr, podCidr, serviceCidr]
        })
        for (const [index, network] of networks.entries()) {
          for (const other of networks.slice(index + 1)) {
            expect(overlap(network, other), `${network} ${other}`).to.equal(false)
          }
        }
      }),
    )
  })

  it('refuses names that would not fit an interface name or a DNS label', () => {
    for (const name of ['', 'a-name-too-long', '-a', 'a-', 'A', 'a_b', '../x']) {
      expect(() => instanceOf(name)).to.throw('instance name')
    }
  })
})

function overlap(left: string, right: string): boolean {
  const [a, b] = [ipaddr.IPv4.parseCIDR(left), ipaddr.IPv4.parseCIDR(right)]
  return a[0].match(b) || b[0].match(a)
}
