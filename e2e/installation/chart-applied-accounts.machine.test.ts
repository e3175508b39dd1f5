import { expect } from 'chai'
import { operatorSettingsIn, useChart } from './chart.fixture.ts'

describe('the chart, for accounts of applied objects', function () {
  this.timeout(900_000)
  const { render } = useChart()

  const settings = async (value: string) =>
    operatorSettingsIn(await render('minimal', '--set-json', value))

  it('gives the operator their names, the default account alone if none are set', async () => {
    const { operator } = await settings('operator.attempts=3')
    expect(operator.appliedAccounts).to.deep.equal(['default'])
    for (const names of [['*'], []]) {
      const given = await settings(`operator.appliedAccounts=${JSON.stringify(names)}`)
      expect(given.operator.appliedAccounts).to.deep.equal(names)
    }
  })

  it('gives it those of the namespaces that are bound', async () => {
    const bindings = [{ namespace: 'team-a', accounts: ['acme', 'acme-dev'] }]
    const given = await settings(`accountPolicy.bindings=${JSON.stringify(bindings)}`)
    expect(given.accountPolicy.bindings).to.deep.equal(bindings)
  })
})
