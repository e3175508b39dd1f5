import { stat } from 'node:fs/promises'
import { kubectl } from '../../../e2e/installation/install.ts'
import { secondsInStat } from '../api/load.ts'
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

export const servers = ['api-server', 'operator'] as const
export type Server = (typeof servers)[number]

/** Resident megabytes (1,048,576 bytes) of the server in a pod of this component, shared pages included. */
export async function residentMegabytes(
  cluster: Cluster,
  namespace: string,
  component: Server,
): Promise<number> {
  const status = await processFile('status', cluster, namespace, component)
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined) throw new Error(`${component} does not show its VmRSS:\n${status}`)
  return Number(kilobytes) / 1024
}

/** Seconds of a processor that each server has used. */
export async function serverSeconds(
  cluster: Cluster,
  namespace: string,
): Promise<Record<Server, number>> {
  const of = async (server: Server): Promise<number> =>
    secondsInStat(await processFile('stat', cluster, namespace, server))
  return { 'api-server': await of('api-server'), operator: await of('operator') }
}

/** File in /proc of the first process in the component's pod; the process that reads it is another one. */
async function processFile(
  name: 'status' | 'stat',
  cluster: Cluster,
  namespace: string,
  component: Server,
): Promise<string> {
  const selector = `app.kubernetes.io/component=${component}`
  const pod = await kubectl(cluster, [
    '-n',
    namespace,
    'get',
    'pods',
    '-l',
    selector,
    '-o',
    'jsonpath={.items[0].metadata.name}',
  ])
  // the image has no shell and no cat
  const print = `process.stdout.write(require('node:fs').readFileSync('/proc/1/${name}', 'utf8'))`
  return kubectl(cluster, ['-n', namespace, 'exec', pod, '--', '/usr/local/bin/node', '-e', print])
}
