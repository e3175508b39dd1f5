import { expect } from 'chai'
import { useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

interface Egress {
  readonly ports?: readonly { readonly port: number | string }[]
  readonly to?: readonly {
    readonly ipBlock?: { readonly cidr: string; readonly except?: string[] }
  }[]
}

describe('the egress that the NetworkPolicies of the chart open', function () {
  this.timeout(900_000)
  const { render } = useChart()

  it('reaches the agent of EKS Pod Identity from what takes its credentials from the SDK, and from nothing else', async () => {
    const objects = await render('workload-identity')
    expect(policiesTo(objects, '169.254.170.23/32')).to.have.members([
      'media-api-server',
      'media-operator',
      'media-storage-cors',
    ])
    const [rule] = rulesTo(objects, 'media-operator', 'fd00:ec2::23/128')
    expect(rule?.ports).to.deep.equal([{ port: 80 }])
    const withKeys = await render('minimal', '--set', 'storage.cors.apply=true')
    expect(policiesTo(withKeys, '169.254.170.23/32')).to.deep.equal([])
  })

  it('opens what a NAT64 gateway makes of public IPv4 addresses, without what it makes of others', async () => {
    const nat64 = '64:ff9b::/96'
    const blocks = async (...more: string[]) => {
      const objects = await render('minimal', ...more)
      const [rule] = rulesTo(objects, 'media-runner', nat64)
      return rule?.to?.find(({ ipBlock }) => ipBlock?.cidr === nat64)?.ipBlock?.except ?? null
    }
    const policies = policiesTo(await render('minimal'), nat64)
    expect(policies).to.have.members(['media-api-server', 'media-runner', 'media-test'])
    expect(await blocks()).to.have.members([
      '64:ff9b::a00:0/104',
      '64:ff9b::ac10:0/108',
      '64:ff9b::c0a8:0/112',
      '64:ff9b::a9fe:0/112',
      '64:ff9b::6440:0/106',
      '64:ff9b::7f00:0/104',
    ])
    const denied = await blocks('--set', 'network.denyCidrs={8.8.8.0/24,64:ff9b::101:0/112}')
    expect(denied).to.include.members(['64:ff9b::808:800/120', '64:ff9b::101:0/112'])
    for (const all of ['0.0.0.0/0', '64:ff9b::/96', '64:FF9B::/64', '::/0']) {
      expect(await blocks('--set', `network.denyCidrs={${all}}`), all).to.equal(null)
    }
    expect(await blocks('--set', 'networkPolicy.publicEgress=false')).to.equal(null)
  })

  it('opens one port of a range where network.allowCidrs names it', async () => {
    const entries = '10.2.0.0/16,10.250.0.1/32:8080,fd00::1/128:8443,[fd00::2]/128:443'
    const objects = await render('minimal', '--set', `network.allowCidrs={${entries}}`)
    for (const name of ['media-runner', 'media-api-server']) {
      const portsTo = (cidr: string) => rulesTo(objects, name, cidr).map(({ ports }) => ports)
      expect(portsTo('10.2.0.0/16')).to.deep.equal([undefined])
      expect(portsTo('10.250.0.1/32')).to.deep.equal([[{ port: 8080 }]])
      expect(portsTo('fd00::1/128')).to.deep.equal([[{ port: 8443 }]])
      expect(portsTo('fd00::2/128')).to.deep.equal([[{ port: 443 }]])
    }
  })

  it('leaves out public addresses where a CNI opens hosts by name, and keeps the private ranges', async () => {
    const ranges = 'network.allowCidrs={10.2.0.0/16},networkPolicy.storageCidrs={10.20.0.0/16}'
    const world = ['0.0.0.0/0', '2000::/3']
    const open = await render('minimal', '--set', ranges)
    for (const cidr of world) {
      expect(policiesTo(open, cidr)).to.have.members([
        // That of helm test reads an output, which may be at a CDN.
        'media-api-server',
        'media-runner',
        'media-test',
      ])
    }
    const closed = await render('minimal', '--set', `networkPolicy.publicEgress=false,${ranges}`)
    for (const cidr of world) expect(policiesTo(closed, cidr)).to.deep.equal([])
    expect(policiesTo(closed, '10.2.0.0/16')).to.have.members(['media-api-server', 'media-runner'])
    expect(policiesTo(closed, '10.20.0.0/16')).to.have.members(['media-runner', 'media-test'])
  })
})

function policiesTo(objects: readonly Rendered[], cidr: string): string[] {
  return objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ metadata }) => metadata.name)
    .filter((name) => rulesTo(objects, name, cidr).length > 0)
}

function rulesTo(objects: readonly Rendered[], name: string, cidr: string): Egress[] {
  const policy = objects.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name,
  )
  if (policy === undefined) throw new Error(`no NetworkPolicy ${name}`)
  const { egress } = policy.spec as unknown as { readonly egress: readonly Egress[] }
  return egress.filter(({ to = [] }) => to.some(({ ipBlock }) => ipBlock?.cidr === cidr))
}
