import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { waitFor } from '../../local-cluster/host/wait-for.ts'
import { freePort } from '../../testing/support/http-server.ts'

export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  /** NaN where the query answers so. */
  readonly value: number
}

export interface PrometheusServer {
  readonly url: string
  /** An instant query. @throws Error with what Prometheus says of the query */
  query(expression: string): Promise<Sample[]>
  /** Names of the alerts that fire now, with their prefix. */
  firing(): Promise<string[]>
  /** Targets of all jobs by their health. */
  targets(): Promise<readonly Target[]>
  stop(): Promise<void>
}

export interface Target {
  readonly health: string
  readonly scrapeUrl: string
  readonly labels: Readonly<Record<string, string>>
  readonly lastError: string
}

/** Starts a real Prometheus on a free port of 127.0.0.1, with a folder of its own. */
export async function startPrometheus(options: {
  readonly program: string
  readonly scrapeConfigs: readonly object[]
  readonly groups: readonly object[]
  /** How often rules are evaluated. */
  readonly evaluationInterval: string
}): Promise<PrometheusServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'prometheus-'))
  // JSON is YAML.
  const write = (name: string, content: object) =>
    writeFile(path.join(folder, name), JSON.stringify(content))
  await write('rules.json', { groups: options.groups })
  await write('prometheus.json', {
    global: { evaluation_interval: options.evaluationInterval },
    rule_files: [path.join(folder, 'rules.json')],
    scrape_configs: options.scrapeConfigs,
  })
  const url = `http://127.0.0.1:${await freePort()}`
  const log = path.join(folder, 'log')
  const child = spawn(
    options.program,
    [
      `--config.file=${path.join(folder, 'prometheus.json')}`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const lines = createWriteStream(log)
  child.stdout.pipe(lines, { end: false })
  child.stderr.pipe(lines, { end: false })
  const gone = once(child, 'exit')
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitFor(isReady, {
    what: 'Prometheus to be ready',
    explain: () => readFile(log, 'utf8'),
  })

  async function get(where: string): Promise<unknown> {
    const answer = await fetch(`${url}/api/v1/${where}`)
    const body = (await answer.json()) as { status: string; data: unknown; error?: string }
    if (body.status !== 'success') throw new Error(`${where}: ${body.error ?? answer.status}`)
    return body.data
  }

  return {
    url,
    async query(expression) {
      const found = (await get(`query?query=${encodeURIComponent(expression)}`)) as {
        result: readonly { metric: Record<string, string>; value: [number, string] }[]
      }
      return found.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }))
    },
    async firing() {
      const { alerts } = (await get('alerts')) as {
        alerts: readonly { state: string; labels: { alertname: string } }[]
      }
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
    },
    async targets() {
      return ((await get('targets?state=active')) as { activeTargets: Target[] }).activeTargets
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}
