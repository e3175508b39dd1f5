import { kubectl } from '../../../e2e/installation/install.ts'
import type { Cluster } from '../../../e2e/cluster/host/types.ts'
import { servers } from './installation-figures.ts'

/** Statements that both servers have sent to the database since they started, by their own metrics. */
export async function serverStatements(cluster: Cluster, namespace: string): Promise<number> {
  const counts = await Promise.all(
    servers.map(async (server) => {
      const selector = `app.kubernetes.io/component=${server}`
      const pods = ['-n', namespace, 'get', 'pods', '-l', selector]
      const pod = await kubectl(cluster, [...pods, '-o', 'jsonpath={.items[0].metadata.name}'])
      const path = `/api/v1/namespaces/${namespace}/pods/${pod}:9090/proxy/metrics`
      return countIn(await kubectl(cluster, ['get', '--raw', path]))
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

function countIn(metrics: string): number {
  const lines = metrics.matchAll(/^cloudffmpeg_database_seconds_count\{[^}]*\} (\S+)$/gm)
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0)
}
