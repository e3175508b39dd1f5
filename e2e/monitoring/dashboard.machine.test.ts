import { expect } from 'chai'
import { buildDashboard } from '../../scripts/dashboard/build-dashboard.ts'
import { rows } from '../../scripts/dashboard/rows.ts'
import { registeredMetrics } from '../../scripts/generated/registered-metrics.ts'
import { useChart } from '../installation/chart.fixture.ts'
import { usePromtool } from './promtool.fixture.ts'

describe('the dashboard of the chart', function () {
  this.timeout(900_000)
  const { render } = useChart()
  const promtool = usePromtool()
  const dashboard = buildDashboard(rows)
  const expressions = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) => expr),
  )

  it('the dashboard is in a ConfigMap with the label of the sidecar, only where the values say so', async () => {
    const of = async (...more: string[]) =>
      (await render('minimal', ...more)).find(({ metadata }) => metadata.name === 'media-dashboard')
    expect(await of()).to.equal(undefined)
    const found = await of('--set', 'grafana.dashboards.enabled=true')
    expect(found).to.have.nested.property('metadata.labels.grafana_dashboard', '1')
    const { data } = found as unknown as { data: Readonly<Record<string, string>> }
    expect(JSON.parse(data['cloud-ffmpeg.json'] ?? '')).to.deep.equal(
      JSON.parse(JSON.stringify(dashboard)),
    )
  })

  it('the dashboard has queries that Prometheus parses', async () => {
    const rules = expressions.map((expr, index) => ({
      record: `panel_${index}`,
      expr: expr.replaceAll('$namespace', 'media').replaceAll('$release', 'media'),
    }))
    const groups = [{ name: 'dashboard', rules }]
    await promtool(['check', 'rules', 'dashboard.json'], { 'dashboard.json': { groups } })
    const broken = [{ name: 'broken', rules: [{ record: 'a', expr: 'sum(' }] }]
    const refused = await promtool(['check', 'rules', 'broken.json'], {
      'broken.json': { groups: broken },
    }).catch((error: unknown) => String(error))
    expect(refused).to.include('parse error')
  })

  it('shows metrics that a server registers', async () => {
    const registries = Object.values(registeredMetrics())
    const known = new Set(
      registries.flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name)),
    )
    const used = expressions.flatMap(
      (expr) => expr.match(/\b(?:cloudffmpeg|nodejs|process)_\w+/g) ?? [],
    )
    const unknown = used.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')))
    expect(unknown).to.deep.equal([])
  })
})
