import { stat } from 'node:fs/promises'
import { kubectl } from '../../../e2e/installation/install.ts'
import type { Images } from '../../../e2e/installation/images.ts'
import type { Figure } from '../figure/figure.ts'
import type { Cluster } from '../../../e2e/cluster/host/types.ts'

/** Sizes of the uncompressed archives. The two servers' images share all but a few of theirs. */
export async function imageFigures(images: Images): Promise<Figure[]> {
  const named = [
    ['runner', images.runner],
    ['api-server', images.apiServer],
    ['operator', images.operator],
  ] as const
  return Promise.all(
    named.map(async ([name, { archive }]): Promise<Figure> => {
      const { size } = await stat(archive)
      return { name: `image.${name}`, value: size / 1_048_576, unit: 'MB' }
    }),
  )
}

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
  if (kilobytes === undefined) throw new Error(`pod ${pod} does not show its VmRSS:\n${status}`)
  return Number(kilobytes) / 1024
}
