import { expect } from 'chai'
import { useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

interface Egress {
  readonly ports?: readonly { readonly port: number | string }[]
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string } }[]
}

describe('the egress that the NetworkPolicies of the chart open', function () {
  this.timeout(900_000)
  const { render } = useChart()

  it('reaches the agent of EKS Pod Identity from what takes its credentials from the SDK, and from nothing else', async () => {
    const objects = await render('workload-identity')
    expect(policiesTo(objects, '169.254.170.23/32')).to.have.members([
      ...['media-api-server', 'media-operator', 'media-storage-cors'],
    ])
    const [rule] = rulesTo(objects, 'media-operator', 'fd00:ec2::23/128')
    expect(rule?.ports).to.deep.equal([{ port: 80 }])
    const withKeys = await render('minimal', '--set', 'storage.cors.apply=true')
    expect(policiesTo(withKeys, '169.254.170.23/32')).to.deep.equal([])
  })

  it('leaves out public addresses where a CNI opens hosts by name, and keeps the private ranges', async () => {
    const ranges = 'network.allowCidrs={10.2.0.0/16},networkPolicy.storageCidrs={10.20.0.0/16}'
    const world = ['0.0.0.0/0', '2000::/3']
    const open = await render('minimal', '--set', ranges)
    for (const cidr of world) {
      expect(policiesTo(open, cidr)).to.have.members([
        // That of helm test reads an output, which may be at a CDN.
        ...['media-api-server', 'media-runner', 'media-test'],
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
