import { expect } from 'chai'
import { operatorSettingsIn, useChart } from './chart.fixture.ts'
import type { Rendered } from './chart.fixture.ts'

describe('the chart, with operator.watchNamespaces,', function () {
  this.timeout(900_000)
  const { render } = useChart()
  const watched = ['media', 'team-a', 'team-b']
  let objects: Rendered[]
  before(async () => {
    objects = await render(
      'everything',
      '--set',
      'fullnameOverride=,operator.serviceAccount.create=true',

      '--set',
      'operator.serviceAccount.name=,gateway.tls.existingSecret=my-gateway',

      '--set',
      'runner.warm.min=1,runner.warm.max=2,queue.kueue.enabled=false,evaluation.enabled=false',
    )
  })

  const namespacesOf = (kind: string, ending: RegExp): (string | undefined)[] =>
    objects
      .filter(({ kind: each, metadata }) => each === kind && ending.test(metadata.name))
      .map(({ metadata }) => metadata.namespace)

  it('renders into each namespace what the operator and runners need there', () => {
    expect(namespacesOf('Role', /-operator$/)).to.deep.equal(watched)
    expect(namespacesOf('RoleBinding', /-operator$/)).to.deep.equal(watched)
    expect(namespacesOf('ServiceAccount', /-runner$/)).to.deep.equal(watched)
    expect(namespacesOf('NetworkPolicy', /-runner$/)).to.deep.equal(watched)
    expect(namespacesOf('Role', /-uninstall$/)).to.deep.equal(watched)
  })

  it('lets the operator change pods in its own namespace alone, where runners wait', () => {
    const changing = objects.filter(
      ({ kind, rules = [] }) =>
        kind === 'Role' && rules.some(({ resources = [] }) => resources.includes('pods/resize')),
    )
    expect(changing.map(({ metadata }) => metadata.namespace)).to.deep.equal(['media'])
  })

  it('lets the operator see to the end of a namespace that is deleted, and reads in all only where it watches several', async () => {
    const guests = (all: readonly Rendered[]) =>
      all.filter(
        ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.endsWith('-guests'),
      )
    const verbs = guests(objects).flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.verbs))
    expect([...new Set(verbs)]).to.have.members(['get', 'list', 'watch', 'patch'])
    expect(guests(await render('minimal'))).to.deep.equal([])
  })

  it('gives the operator their names, and an address of the gateway that all of them resolve', () => {
    const { gateway, operator } = operatorSettingsIn(objects)
    expect(operator.watchNamespaces).to.deep.equal(['team-a', 'team-b'])
    expect(gateway.url).to.match(/^https:\/\/media-[-a-z]*gateway\.media\.svc:/)
  })
})
