import { createClient } from '../../cli/client/client.ts'
import type { Client } from '../../cli/client/client.ts'
import { createSecondRelease } from '../../e2e/installation/second-release.ts'
import { publishedNodePort } from '../../e2e/cluster/host/types.ts'
import { waitFor } from '../../e2e/cluster/host/wait-for.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import { idleMachine } from './cluster/idle-machine.ts'
import { overheadMs, runSubmission, tinyCommand } from './cluster/measure-command.ts'
import type { Figure } from './figure/figure.ts'
import { loadFigure } from './figure/figure.ts'
import { median, medianInterval, percentile } from './figure/statistics.ts'

interface Options {
  readonly environment: BenchEnvironment
  /** Commands over plain HTTP and over TLS, the first pair of which is dropped. */
  readonly pairs: number
}

/** What TLS between runner and gateway may add to a tiny command. */
const allowedMs = 15

/**
 * A tiny command whose runner reaches the gateway by plain HTTP beside one over TLS: two releases in one cluster, of which
 * one command at a time runs, in the order A B B A.
 */
export async function b15({ environment, pairs }: Options): Promise<Figure[]> {
  const { say } = environment
  await environment.reconfigure({ gateway: { tls: { mode: 'off' } } })
  const secure = await secondClient(environment)
  const arms = { plain: environment.client, secure }
  const times = { plain: [] as number[], secure: [] as number[] }
  const loadBefore = loadFigure('before')
  for (let pair = 0; pair < pairs; pair += 1) {
    say(`b15, pair ${pair + 1} of ${pairs} (usually 4 to 8 s)`)
    const order = ['plain', 'secure'] as const
    for (const arm of pair % 2 === 0 ? order : order.toReversed()) {
      await idleMachine()
      const { record } = await runSubmission(arms[arm], tinyCommand)
      times[arm].push(overheadMs(record))
    }
  }
  const [plain, tls] = [times.plain.slice(1), times.secure.slice(1)]
  const added = tls.map((ms, index) => ms - (plain[index] ?? Number.NaN))
  const { low, high } = medianInterval(added, Math.random)
  return [
    loadBefore,
    loadFigure('after'),
    ...spread('overhead.plain-http', plain),
    ...spread('overhead.tls', tls),
    { name: 'tls-adds.median', value: median(added), unit: 'ms', limit: allowedMs },
    { name: 'tls-adds.low', value: low, unit: 'ms' },
    { name: 'tls-adds.high', value: high, unit: 'ms' },
    { name: 'difference-of-medians', value: median(tls) - median(plain), unit: 'ms' },
  ]
}

/** Of a release whose runners use TLS. */
async function secondClient(environment: BenchEnvironment): Promise<Client> {
  const { cluster } = environment
  const nodePort = publishedNodePort + 1
  const second = await createSecondRelease(environment, {
    apiServer: { service: { type: 'NodePort', nodePort } },
    gateway: { tls: { mode: 'generated' } },
  })
  await second.upgrade()
  const template = 'go-template={{index .data "api-key" | base64decode}}'
  const apiKey = await second.kubectl('get', 'secret', 'cloud-ffmpeg-bootstrap', '-o', template)
  const url = new URL(cluster.publishedUrl)
  url.port = String(nodePort)
  const ready = (): Promise<boolean> =>
    fetch(new URL('/readyz', url)).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitFor(ready, { what: `the API at ${url.href}`, timeoutMs: 60_000 })
  return createClient({ url: url.origin, apiKey })
}

function spread(name: string, values: readonly number[]): Figure[] {
  return [0.5, 0.9].map((part) => ({
    ...{ name: `${name}.p${part * 100}`, value: percentile(values, part), unit: 'ms' as const },
  }))
}
