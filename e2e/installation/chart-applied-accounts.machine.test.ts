import { expect } from 'chai'
import { deployment, useChart } from './chart.fixture.ts'

describe('the chart, for accounts of applied objects', function () {
  this.timeout(900_000)
  const { render } = useChart()

  async function envOf(name: string, value: string): Promise<string | undefined> {
    const objects = await render('minimal', '--set-json', value)
    const { env = [] } = deployment(objects, 'operator').containers[0] ?? {}
    return env.find((each) => each.name === `CLOUD_FFMPEG_${name}`)?.value
  }

  it('gives the operator their names, the default account alone if none are set', async () => {
    expect(await envOf('APPLIED_ACCOUNTS', 'operator.attempts=3')).to.equal('["default"]')
    for (const names of ['["*"]', '[]']) {
      expect(await envOf('APPLIED_ACCOUNTS', `operator.appliedAccounts=${names}`)).to.equal(names)
    }
  })

  it('gives it those of the namespaces that are bound', async () => {
    const bindings = [{ namespace: 'team-a', accounts: ['acme', 'acme-dev'] }]
    const set = `accountPolicy.bindings=${JSON.stringify(bindings)}`
    expect(JSON.parse((await envOf('ACCOUNT_BINDINGS', set)) ?? '')).to.deep.equal(bindings)
  })
})
