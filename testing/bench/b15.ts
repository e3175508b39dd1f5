import { createClient } from '../../cli/client/client.ts'
import type { Client } from '../../cli/client/client.ts'
import { createSecondRelease } from '../../e2e/installation/second-release.ts'
import { publishedNodePort } from '../../e2e/cluster/host/types.ts'
import { waitFor } from '../../e2e/cluster/host/wait-for.ts'
import type { BenchEnvironment } from './cluster/environment.ts'
import { idleMachine } from './cluster/idle-machine.ts'
import { kubectl } from '../../e2e/installation/install.ts'
import { watchArrivals } from './cluster/arrivals.ts'
import { measureCommand } from './cluster/measure-command.ts'
import { watchPodTimes } from './cluster/pod-times.ts'
import type { CommandTimes } from './cluster/measure-command.ts'
import type { Figure } from './figure/figure.ts'
import { loadFigure } from './figure/figure.ts'
import { median, medianInterval } from './figure/statistics.ts'

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
  const { client, namespace, say } = environment
  await environment.reconfigure({ gateway: { tls: { mode: 'off' } } })
  const second = await startSecond(environment)
  const arms = {
    plain: await measuring(environment, { client, namespace }),
    tls: await measuring(environment, second),
  }
  const times: Record<keyof typeof arms, CommandTimes[]> = { plain: [], tls: [] }
  const loadBefore = loadFigure('before')
  for (let pair = 0; pair < pairs; pair += 1) {
    say(`b15, pair ${pair + 1} of ${pairs} (usually 6 to 10 s)`)
    const order = ['plain', 'tls'] as const
    for (const arm of pair % 2 === 0 ? order : order.toReversed()) {
      await idleMachine()
      times[arm].push(await arms[arm].measure())
    }
  }
  for (const arm of Object.values(arms)) arm.close()
  const [plain, tls] = [times.plain.slice(1), times.tls.slice(1)]
  return [
    loadBefore,
    loadFigure('after'),
    ...compared('requests', requestsMs, { plain, tls, limit: allowedMs }),
    ...compared('pod-start', podStartMs, { plain, tls }),
    ...compared('overhead', ({ overhead }) => overhead, { plain, tls }),
  ]
}

/** From the first request of the runner to its answer, and from its report to the answer: what TLS itself takes. */
function requestsMs({ stages }: CommandTimes): number {
  const [asked, answered] = [stages['assignment-asked'], stages['assignment-answered']]
  const [reports, reported] = [stages['outputs-probed-and-stored'], stages['result-accepted']]
  return answered - asked + (reported - reports)
}

/** Until the runner's process begins: what the file with the authorities takes. */
function podStartMs({ stages }: CommandTimes): number {
  return stages['transfer-process-started'] - stages['pod-seen']
}

function compared(
  name: string,
  of: (times: CommandTimes) => number,
  arms: { readonly plain: CommandTimes[]; readonly tls: CommandTimes[]; readonly limit?: number },
): Figure[] {
  const [plain, tls] = [arms.plain.map(of), arms.tls.map(of)]
  const added = tls.map((ms, index) => ms - (plain[index] ?? Number.NaN))
  const { low, high } = medianInterval(added, Math.random)
  const { limit } = arms
  return [
    { name: `${name}.plain-http.p50`, value: median(plain), unit: 'ms' },
    { name: `${name}.tls.p50`, value: median(tls), unit: 'ms' },
    {
      name: `${name}.tls-adds.median`,
      value: median(added),
      unit: 'ms',
      ...(limit === undefined ? {} : { limit }),
    },
    { name: `${name}.tls-adds.low`, value: low, unit: 'ms' },
    { name: `${name}.tls-adds.high`, value: high, unit: 'ms' },
  ]
}

interface Arm {
  readonly client: Client
  readonly namespace: string
}

async function measuring({ cluster, kube }: BenchEnvironment, { client, namespace }: Arm) {
  const podTimes = await watchPodTimes(kube.pods, namespace)
  const resources = await watchArrivals(kube.commands, namespace)
  const jobs = await watchArrivals(kube.jobs, namespace)
  const transferLog = (pod: string): Promise<string> =>
    kubectl(cluster, ['-n', namespace, 'logs', pod, '-c', 'transfer'])
  return {
    measure: () => measureCommand({ client, podTimes, resources, jobs, transferLog }),
    close() {
      for (const watch of [podTimes, resources, jobs]) watch.close()
    },
  }
}

/** Installs a release whose runners use TLS. */
async function startSecond(environment: BenchEnvironment): Promise<Arm> {
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
  const client = createClient({ url: url.origin, apiKey })
  return { client, namespace: second.namespace }
}
