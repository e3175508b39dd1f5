import type { Cluster } from '../../e2e/cluster/types.ts'
import { kubectl } from '../../e2e/installation/install.ts'

/** Resident megabytes (1,048,576 bytes) of the server in a pod of this component, shared pages included. */
export async function residentMegabytes(
  cluster: Cluster,
  namespace: string,
  component: 'api-server' | 'operator',
): Promise<number> {
  const selector = `app.kubernetes.io/component=${component}`
  const pod = await kubectl(cluster, [
    ...['-n', namespace, 'get', 'pods', '-l', selector],
    ...['-o', 'jsonpath={.items[0].metadata.name}'],
  ])
  // the image has no shell and no cat
  const print = "process.stdout.write(require('node:fs').readFileSync('/proc/1/status', 'utf8'))"
  const status = await kubectl(cluster, [
    ...['-n', namespace, 'exec', pod, '--', '/usr/local/bin/node', '-e', print],
  ])
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error(`pod ${pod} does not tell its VmRSS:\n${status}`)
  return Number(kilobytes) / 1024
}
