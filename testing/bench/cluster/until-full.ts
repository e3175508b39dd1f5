import { kubectl } from '../../../e2e/installation/install.ts'
import { eventually } from '../../../e2e/steps/eventually.ts'
import type { BenchEnvironment } from './environment.ts'

/** How long it took until so many runners wait, in ms. */
export async function untilFull(environment: BenchEnvironment, standbys: number): Promise<number> {
  const begun = performance.now()
  if (standbys === 0) return 0
  await eventually('all runners wait', async () => (await waiting(environment)) >= standbys)
  return performance.now() - begun
}

async function waiting({ cluster, namespace }: BenchEnvironment): Promise<number> {
  const selector = 'app.kubernetes.io/component=operator'
  const name = 'jsonpath={.items[0].metadata.name}'
  const pod = await kubectl(cluster, ['-n', namespace, 'get', 'pods', '-l', selector, '-o', name])
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}:9090/proxy/metrics`
  const metrics = await kubectl(cluster, ['get', '--raw', path])
  const value = /^cloudffmpeg_warm_standbys\{[^}]*state="waiting"[^}]*\} (\d+)$/m.exec(metrics)?.[1]
  return Number(value ?? 0)
}
