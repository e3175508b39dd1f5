import path from 'node:path'
import { expect } from 'chai'
import { buildDashboard } from '../../../scripts/dashboard/build-dashboard.ts'
import { drawDashboard } from '../../../scripts/dashboard/draw/draw-dashboard.ts'
import { rangeOf } from '../../../scripts/dashboard/draw/query-range.ts'
import { launchBrowser } from '../../../testing/browser/launch-browser.ts'
import { rows } from '../../../scripts/dashboard/rows.ts'
import { registeredMetrics } from '../../../scripts/generated/registered-metrics.ts'
import { clusterSettings } from '../../../local-cluster/host/settings.ts'
import { runCommand } from '../../../local-cluster/host/run-command.ts'
import { startPostgres } from '../../../local-cluster/servers/postgres.ts'
import { foreignKinds } from '../../../local-cluster/tools/foreign-kinds.ts'
import { prometheusFolder } from '../../../local-cluster/tools/prometheus.ts'
import { helmUpgrade, kubectl, merge } from '../../installation/install.ts'
import { startDiscovery } from '../../monitoring/discovery.ts'
import { startPrometheus } from '../../monitoring/prometheus-server.ts'
import type { PrometheusServer } from '../../monitoring/prometheus-server.ts'
import { scrapeConfigs } from '../../monitoring/scrape-config.ts'
import type { Listening } from '../../../testing/support/http-server.ts'
import type { Monitor } from '../../monitoring/scrape-config.ts'
import { admin } from '../../steps/new-account.ts'
import { orSkip, useEnvironment } from '../../steps/environment.ts'
import { eventually } from '../../steps/eventually.ts'
import { startReceiver } from '../../steps/receiver.ts'
import { instance, samples } from '../../steps/story-installation.ts'
import { runsFor, submitAndWait, untilEnd } from '../../steps/submit-and-wait.ts'

/** Panels with a NaN that says something: no limit of vCPUs; no request that had to wait within five minutes. */
const mayBeNaN = new Set(['vCPUs', 'Wait for the rate limit of the Kubernetes API (99 %)'])

const prometheusRule = {
  enabled: true,
  // A team's waits are too long for a test: the same rules, sooner.
  for: { DatabaseDown: '2s', NoLeader: '2s', Paused: '2s' },
}

describe('the monitoring of an installation by a real Prometheus', function () {
  this.timeout(600_000)
  const env = useEnvironment()
  let programs: string
  let prometheus: PrometheusServer
  let discovery: Listening
  const say = (line: string): void => console.log(`  [monitoring] ${line}`)
  before(async () => {
    const settings = clusterSettings(process.env)
    programs = await prometheusFolder({ settings, say })
    for (const definition of await foreignKinds('prometheus', { settings, say })) {
      await kubectl(env.cluster, ['apply', '--server-side', '-f', '-'], definition)
    }
    discovery = await startDiscovery(stored)
    await monitorBy('serviceMonitor')
    prometheus = await start('servicemonitor')
  })
  after(async () => {
    await prometheus?.stop()
    await discovery?.close()
    await helmUpgrade(env.cluster, env.installed.namespace, env.installed.values)
  })

  const monitorBy = (kind: 'serviceMonitor' | 'podMonitor') =>
    helmUpgrade(
      env.cluster,
      env.installed.namespace,
      merge(env.installed.values, {
        prometheus: {
          [kind]: { enabled: true, interval: '1s', scrapeTimeout: '1s' },
          prometheusRule,
        },
      }),
    )

  async function stored<T>(kind: string): Promise<readonly T[]> {
    const { items } = JSON.parse(await env.kubectl('get', kind, '-o', 'json')) as { items: T[] }
    return items
  }

  /** Scrapes what the stored monitor selects, and evaluates the stored rules. */
  async function start(kind: string): Promise<PrometheusServer> {
    const monitors = await stored<Monitor>(kind)
    const rules = await stored<{ spec: { groups: object[] } }>('prometheusrule')
    expect([monitors.length, rules.length]).to.deep.equal([1, 1])
    return startPrometheus({
      program: path.join(programs, 'prometheus'),
      scrapeConfigs: monitors.flatMap((one) => scrapeConfigs(one, discovery.url)),
      groups: rules.flatMap(({ spec }) => spec.groups),
      evaluationInterval: '1s',
    })
  }

  /** The components behind the targets, once all of them answer. */
  const scraped = (server: PrometheusServer) =>
    eventually('both servers are scraped', async () => {
      const targets = await server.targets()
      const up = targets.filter(({ health }) => health === 'up')
      const found = await server.query('count by (component) (cloudffmpeg_build_info)')
      const components = found.map(({ metric }) => metric['component'] ?? '').toSorted()
      return targets.length === up.length && components.length === 2 && { components, targets }
    })

  /** The alert fires while it lasts, and no more once it is mended. */
  async function firesWhile(
    alert: string,
    fault: () => Promise<unknown>,
    mend: () => Promise<unknown>,
  ) {
    const name = `CloudFfmpeg${alert}`
    expect(await prometheus.firing()).to.not.include(name)
    try {
      await fault()
      await eventually(`${name} fires`, async () => (await prometheus.firing()).includes(name))
    } finally {
      await mend()
    }
    await eventually(`${name} is over`, async () => !(await prometheus.firing()).includes(name))
  }

  it('scrapes both servers by what the ServiceMonitor selects, and no runner', async () => {
    const { components, targets } = await scraped(prometheus)
    expect(components).to.deep.equal(['api-server', 'operator'])
    expect(targets.map(({ labels }) => labels['job'])).to.deep.equal(
      targets.map(() => 'cloud-ffmpeg-metrics'),
    )
  })

  it('shows something in every panel after commands of all kinds', async () => {
    const receiver = await startReceiver(env.cluster.hostAddress, [204])
    try {
      const { client } = env
      const webhook = { webhook_url: receiver.url }
      const failing = { ...runsFor(1), ffmpeg_command: '-f lavfi -i nosuchsource {{out_1}}' }
      await Promise.all([
        submitAndWait(client, { ...runsFor(2), ...webhook }),
        submitAndWait(client, failing),
        submitAndWait(client, { ...runsFor(1), is_private: true }),
      ])
      const { command_id } = await client.submit(runsFor(60))
      await client.cancelCommand(command_id)
      await untilEnd(client, command_id)
      await eventually('the webhook has come', async () => receiver.calls.length > 0)
      // Rates need two scrapes.
      await submitAndWait(client, runsFor(2))
    } finally {
      await receiver.close()
    }
    const release = 'cloud-ffmpeg'
    const ofRelease = (expr: string) =>
      expr.replaceAll('$namespace', env.installed.namespace).replaceAll('$release', release)
    const wanted = buildDashboard(rows).panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr: ofRelease(expr) })),
    )
    const lacking = await eventually('each panel has a series', async () => {
      const answers = await Promise.all(
        wanted.map(async ({ title, expr }) => ({ title, samples: await prometheus.query(expr) })),
      )
      const missing = answers
        .filter(({ samples }) => samples.length === 0)
        .map(({ title }) => title)
      const nan = answers
        .filter(({ title, samples }) => !mayBeNaN.has(title) && samples.some(isNaNSample))
        .map(({ title }) => title)
      if (missing.length + nan.length === 0) return { missing, nan }
      throw new Error(`without a series: ${missing.join('; ')}. NaN: ${nan.join('; ')}`)
    })
    expect(lacking).to.deep.equal({ missing: [], nan: [] })
  })

  it('draws the dashboard row by row, for a person to look at', async function () {
    const browser = await orSkip(this, () => launchBrowser(say))
    try {
      const files = await drawDashboard(browser, rows, {
        prometheus: prometheus.url,
        namespace: env.installed.namespace,
        release: 'cloud-ffmpeg',
        range: rangeOf(Date.now() / 1000, 60),
        folder: path.join(samples, '../dashboard'),
      })
      expect(files).to.have.length(rows.length)
      expect(browser.errors).to.deep.equal([])
    } finally {
      await browser.close()
    }
  })

  it('answers no metric that docs/metrics.md does not have, and all that it has', async () => {
    const registries = registeredMetrics()
    for (const [component, registry] of Object.entries(registries)) {
      const documented = registry.getMetricsAsArray().map(({ name }) => name)
      const served = (await metricsOf(component)).matchAll(/^# TYPE (\S+) /gm)
      const names = [...served].map(([, name = '']) => name)
      expect(names.toSorted(), component).to.deep.equal(documented.toSorted())
    }
  })

  it('passes the lint of promtool', async () => {
    for (const component of ['api-server', 'operator']) {
      await runCommand(path.join(programs, 'promtool'), ['check', 'metrics'], {
        input: await metricsOf(component),
      })
    }
  })

  async function metricsOf(component: string): Promise<string> {
    const targets = await prometheus.targets()
    const found = targets.find(({ labels }) => labels['pod']?.includes(`-${component}-`))
    return (await fetch(found?.scrapeUrl ?? '')).text()
  }

  it('fires Paused while something is paused', async () => {
    await firesWhile(
      'Paused',
      () => admin(env, 'pause', 'webhooks', '--why', 'story'),
      () => admin(env, 'resume', 'webhooks'),
    )
  })

  it('fires NoLeader while no operator runs', async () => {
    const scale = (replicas: number) =>
      env.kubectl('scale', 'deployment/cloud-ffmpeg-operator', `--replicas=${replicas}`)
    await firesWhile(
      'NoLeader',
      () => scale(0),
      () => scale(1),
    )
    await env.kubectl('rollout', 'status', 'deployment/cloud-ffmpeg-operator')
  })

  it('fires DatabaseDown while PostgreSQL is away', async () => {
    const { hostAddress } = env.cluster
    await firesWhile(
      'DatabaseDown',
      () => env.postgres.stop(),
      () => startPostgres({ instance, hostAddress, say }),
    )
    expect((await submitAndWait(env.client, runsFor(1))).status).to.equal('SUCCESS')
  })

  it('scrapes the same by a PodMonitor', async () => {
    await monitorBy('podMonitor')
    const other = await start('podmonitor')
    try {
      const { components, targets } = await scraped(other)
      expect(components).to.deep.equal(['api-server', 'operator'])
      const jobs = new Set(targets.map(({ labels }) => labels['job']))
      expect([...jobs]).to.deep.equal([`${env.installed.namespace}/cloud-ffmpeg-metrics`])
    } finally {
      await other.stop()
    }
  })
})

function isNaNSample({ value }: { value: number }): boolean {
  return Number.isNaN(value)
}
