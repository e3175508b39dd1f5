import { expect } from 'chai'
import { addressRefusal, addressRules } from './address-policy.ts'

const none = addressRules({ allowCidrs: [], denyCidrs: [] })

describe('which addresses a URL may lead to', () => {
  const open = [
    '8.8.8.8',
    '1.1.1.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b::808:808',
  ]
  for (const address of open) {
    it(`opens the address ${address}`, () => {
      expect(addressRefusal(address, 443, none, [])).to.equal(null)
    })
  }

  const closed: [string, string][] = [
    ['127.0.0.1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['::ffff:7f00:1', 'loopback'],
    ['64:ff9b::7f00:1', 'loopback'],
    ['64:ff9b::169.254.169.254', 'linkLocal'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::168.63.129.16', 'cloud metadata'],
    ['64:ff9b:1::8.8.8.8', 'rfc6052'],
    ['2002:7f00:1::', '6to4'],
    ['2001::1', 'teredo'],
    ['::ffff:0:127.0.0.1', 'rfc6145'],
    ['169.254.169.254', 'linkLocal'],
    ['fe80::1', 'linkLocal'],
    ['fd00:ec2::254', 'uniqueLocal'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['168.63.129.16', 'cloud metadata'],
    ['161.26.0.10', 'cloud metadata'],
    ['166.9.14.1', 'cloud metadata'],
    ['media.example', 'not an IP address'],
  ]
  for (const [address, reason] of closed) {
    it(`closes ${address} as ${reason}`, () => {
      expect(addressRefusal(address, 80, none, [])).to.equal(reason)
    })
  }
  for (const address of [
    '198.18.0.1',
    '::7f00:1',
    '::a9fe:a9fe',
    '1::1',
    '4000::1',
    '192.0.2.1',
    '192.0.0.192',
    '100::1',
    'fec0::1',
    'ff02::1',
  ]) {
    it(`closes the address ${address}`, () => {
      expect(addressRefusal(address, 80, none, [])).to.not.equal(null)
    })
  }

  it("opens a private range by the operator's entry, mapped spellings included", () => {
    const rules = addressRules({ allowCidrs: ['10.1.0.0/16'], denyCidrs: [] })
    expect(addressRefusal('10.1.2.3', 9000, rules, [])).to.equal(null)
    expect(addressRefusal('::ffff:10.1.2.3', 9000, rules, [])).to.equal(null)
    expect(addressRefusal('10.2.0.1', 9000, rules, [])).to.equal('private')
  })

  it('closes a public range by a deny entry, even against an allow entry', () => {
    const rules = addressRules({ allowCidrs: ['8.8.0.0/16'], denyCidrs: ['8.8.8.0/24'] })
    expect(addressRefusal('8.8.8.8', 443, rules, [])).to.equal('denied by the operator')
    expect(addressRefusal('8.8.4.4', 443, rules, [])).to.equal(null)
  })

  it("closes the service's own endpoints regardless of the lists, by address and port", () => {
    const rules = addressRules({ allowCidrs: ['10.0.0.0/8'], denyCidrs: [] })
    const own = [{ address: '10.0.0.5', port: 5432 }]
    expect(addressRefusal('10.0.0.5', 5432, rules, own)).to.equal("the service's own endpoint")
    expect(addressRefusal('::ffff:10.0.0.5', 5432, rules, own)).to.equal(
      "the service's own endpoint",
    )
    expect(addressRefusal('10.0.0.5', 8080, rules, own)).to.equal(null)
  })

  it('judges an address behind NAT64 by the IPv4 address inside, against every list', () => {
    const rules = addressRules({
      allowCidrs: ['64:ff9b::/96', '::/0', '10.1.0.0/16'],
      denyCidrs: ['8.8.8.0/24'],
    })
    expect(addressRefusal('64:ff9b::169.254.169.254', 80, rules, [])).to.equal('linkLocal')
    expect(addressRefusal('64:ff9b::10.2.0.1', 80, rules, [])).to.equal('private')
    expect(addressRefusal('64:ff9b::10.1.0.1', 80, rules, [])).to.equal(null)
    expect(addressRefusal('64:ff9b::8.8.8.8', 80, rules, [])).to.equal('denied by the operator')
    const own = [{ address: '1.1.1.1', port: 443 }]
    expect(addressRefusal('64:ff9b::1.1.1.1', 443, rules, own)).to.equal(
      "the service's own endpoint",
    )
    const closed = addressRules({ allowCidrs: [], denyCidrs: ['64:ff9b::/96'] })
    expect(addressRefusal('64:ff9b::8.8.8.8', 80, closed, [])).to.equal('denied by the operator')
    expect(addressRefusal('8.8.8.8', 80, closed, [])).to.equal(null)
  })

  it('opens one port of a range by an entry that names it', () => {
    const allowCidrs = ['10.1.0.1/32:8080', 'fd00::1/128:8443', '[fd00::2]/128:443']
    const rules = addressRules({ allowCidrs, denyCidrs: [] })
    const open = [
      ['10.1.0.1', 8080],
      ['64:ff9b::10.1.0.1', 8080],
      ['fd00::1', 8443],
      ['fd00::2', 443],
    ] as const
    for (const [address, port] of open) {
      expect(addressRefusal(address, port, rules, []), address).to.equal(null)
      expect(addressRefusal(address, 10_259, rules, []), address).to.not.equal(null)
    }
  })

  for (const entry of ['10.0.0.0:80', '10.0.0.0/33:80', 'fd00::1:80', '[10.0.0.0/8]:80', '']) {
    it(`refuses '${entry}' as an entry`, () => {
      expect(() => addressRules({ allowCidrs: [entry], denyCidrs: [] })).to.throw('is not a CIDR')
    })
  }

  it('refuses a port that does not exist, and ports of ranges that are denied whole', () => {
    for (const entry of ['10.0.0.0/8:0', '10.0.0.0/8:65536']) {
      expect(() => addressRules({ allowCidrs: [entry], denyCidrs: [] })).to.throw(
        `'${entry}' must end with a port from 1 to 65535`,
      )
    }
    expect(() => addressRules({ allowCidrs: [], denyCidrs: ['10.0.0.0/8:80'] })).to.throw(
      "'10.0.0.0/8:80' is not a CIDR such as 10.0.0.0/8",
    )
  })

  it('refuses an entry that is not a CIDR', () => {
    expect(() => addressRules({ allowCidrs: ['10.0.0.0'], denyCidrs: [] })).to.throw(
      "'10.0.0.0' is not a CIDR such as 10.0.0.0/8",
    )
  })
})
