import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { registeredMetrics } from '../../scripts/generated/registered-metrics.ts'
import { useChart } from '../installation/chart.fixture.ts'
import { alertSeries } from './alert-series.fixture.ts'
import { usePromtool } from './promtool.fixture.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

interface Group {
  readonly name: string
  readonly rules: readonly Rule[]
}

describe('the alerts', function () {
  this.timeout(900_000)
  const { render } = useChart()
  const promtool = usePromtool()
  const own = 'namespace="media",job="media-metrics",instance="1"'
  const follower = 'namespace="media",job="media-metrics",instance="2"'
  const other = 'namespace="other",job="other-metrics",instance="1"'
  const prefix = 'CloudFfmpeg'

  async function groupsOf(...more: readonly string[]): Promise<readonly Group[]> {
    const objects = await render('monitoring', ...more)
    const rule = objects.find(({ kind }) => kind === 'PrometheusRule')
    if (rule === undefined) throw new Error('no PrometheusRule was rendered')
    return (rule.spec as unknown as { readonly groups: readonly Group[] }).groups
  }

  const refusal = (...more: readonly string[]): Promise<string> =>
    groupsOf(...more).then(
      () => 'accepted',
      (error: unknown) => String(error),
    )

  it('the alerts are rules that Prometheus takes, and each has a test and a section of the runbooks', async () => {
    const groups = await groupsOf()
    await promtool(['check', 'rules', 'rules.json'], { 'rules.json': { groups } })
    const names = groups.flatMap(({ rules }) =>
      rules.map(({ alert }) => alert.slice(prefix.length)),
    )
    expect(Object.keys(alertSeries).toSorted()).to.deep.equal(names.toSorted())
    const runbooks = await readFile(
      path.resolve(import.meta.dirname, '../../docs/operations/runbooks.md'),
      'utf8',
    )
    const sections = [...runbooks.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name)
    expect(sections.toSorted()).to.deep.equal(names.toSorted())
    for (const { alert, annotations } of groups.flatMap(({ rules }) => rules)) {
      expect(annotations['runbook_url']).to.match(
        new RegExp(`#${alert.slice(prefix.length).toLowerCase()}$`),
      )
    }
  })

  it('the alerts link to the runbooks of the service itself where the values tell its address, or to none', async () => {
    const linkOf = async (...more: readonly string[]) => {
      const groups = await groupsOf('--set', 'prometheus.prometheusRule.runbookUrl=', ...more)
      const [first] = groups.flatMap(({ rules }) => rules)
      return first?.annotations['runbook_url']?.replace(/#.*/, '')
    }
    expect(await linkOf()).to.equal(undefined)
    const page = '://media.example.com/docs/guides/operations/runbooks'
    const proxy = ['--set', 'api.trustedProxies=1']
    const ingress = ['--set', 'ingress.enabled=true,ingress.hosts[0].host=media.example.com']
    expect(await linkOf(...proxy, ...ingress)).to.equal(`http${page}`)
    const secret = ['--set', 'ingress.tls[0].secretName=media']
    expect(await linkOf(...proxy, ...ingress, ...secret)).to.equal(`https${page}`)
    const address = ['--set', 'accounts.publicUrl=https://media.example.com/']
    expect(await linkOf(...address)).to.equal(`https${page}`)
  })

  it('the alerts read metrics that a server registers', async () => {
    const registries = Object.values(registeredMetrics())
    const known = new Set(
      registries.flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name)),
    )
    const used = (await groupsOf()).flatMap(({ rules }) =>
      rules.flatMap(({ expr }) => expr.match(/\b(?:cloudffmpeg|nodejs)_\w+/g) ?? []),
    )
    const unknown = used
      .map((name) => name.replace(/_bucket$/, ''))
      .filter((name) => !known.has(name))
    expect(unknown).to.deep.equal([])
  })

  for (const [name, { firing, silent }] of Object.entries(alertSeries)) {
    it(`${name} fires on its series, and on neither the silent one nor that of another release`, async () => {
      const groups = await groupsOf()
      const rule = groups.flatMap(({ rules }) => rules).find(({ alert }) => alert === prefix + name)
      const input = (series: Readonly<Record<string, string>>, labels: string) =>
        Object.entries(series).map(([key, values]) => ({
          series: key.replace('{S', `{${labels}`).replace('{F', `{${follower}`),
          values,
        }))
      const present = rule === undefined ? [] : [rule]
      const expected = present.map(({ labels, annotations }) => ({
        exp_labels: labels,
        exp_annotations: annotations,
      }))
      const test = (series: ReturnType<typeof input>, alerts: readonly unknown[]) => ({
        interval: '1m',
        input_series: series,
        alert_rule_test: [{ eval_time: '239m', alertname: prefix + name, exp_alerts: alerts }],
      })
      await promtool(['test', 'rules', `${name}.json`], {
        'rules.json': { groups: [{ name, rules: present }] },
        [`${name}.json`]: {
          rule_files: ['rules.json'],
          evaluation_interval: '1m',
          tests: [
            test(input(firing, own), expected),
            test(input(silent, own), []),
            test([...input(firing, other), ...input(silent, own)], []),
          ],
        },
      })
    })
  }

  it('the alerts take thresholds, times and rules of the values, and refuse unknown names', async () => {
    const set = (value: string) => ['--set', `prometheus.prometheusRule.${value}`]
    const all = (await groupsOf(...set('disabled={LeaderFlaps}'))).flatMap(({ rules }) => rules)
    const of = (name: string) => all.find(({ alert }) => alert === prefix + name)
    expect(of('LeaderFlaps')).to.equal(undefined)
    expect(of('QueueWaitsForCapacity')?.expr).to.match(/ > 7200$/)
    expect(of('QueueWaitsForCapacity')?.for).to.equal('30m')
    expect(await refusal(...set('disabled={NoSuch}'))).to.include("disabled 'NoSuch' is none")
    expect(await refusal(...set('thresholds.NoLeader=3'))).to.include("thresholds 'NoLeader' is")
    expect(await refusal(...set('for.NoSuch=1m'))).to.include("for 'NoSuch' is none")
    const added = [
      '--set-json',
      'prometheus.prometheusRule.additionalRules=[{"record":"a","expr":"1"}]',
    ]
    expect((await groupsOf(...added))[0]?.rules.at(-1)).to.deep.equal({ record: 'a', expr: '1' })
  })

  it('the chart has one monitor for the metrics, of pods or of Services', async () => {
    const both = await refusal('--set', 'prometheus.podMonitor.enabled=true')
    expect(both).to.include('exclude each other')
    const objects = await render(
      'monitoring',
      '--set',
      'prometheus.serviceMonitor.enabled=false,prometheus.podMonitor.enabled=true',
    )
    const kinds = objects.map(({ kind }) => kind).filter((kind) => kind.endsWith('Monitor'))
    expect(kinds).to.deep.equal(['PodMonitor'])
  })

  it('the alerts read metrics that promtool finds well formed', async () => {
    for (const registry of Object.values(registeredMetrics())) {
      expect(await promtool(['check', 'metrics'], {}, await registry.metrics())).to.equal('')
    }
  })
})
