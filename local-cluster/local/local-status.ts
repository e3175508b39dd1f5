import { instanceOf } from '../host/instance.ts'
import { processNames, runningProcess } from '../host/processes.ts'
import { exists } from '../tools/cached.ts'
import { createApiClient } from './api-client.ts'
import { localLayout } from './layout.ts'
import { nodeStatus } from './node.ts'

/** Running parts of a local cluster, for people; nothing is started for it. */
export async function localStatus(name: string): Promise<string> {
  const instance = instanceOf(name)
  const layout = localLayout(instance)
  if (!(await exists(layout.kubeconfig))) return `cluster ${name} does not exist`
  const lines: string[] = []
  for (const each of await processNames(layout)) {
    const process = await runningProcess(layout, each)
    lines.push(`${each.padEnd(24)} ${process === undefined ? 'ended' : `process ${process.pid}`}`)
  }
  const status = await nodeStatus(
    await createApiClient(layout.keys, instance.hostAddress),
    instance,
  )
  const word = status === undefined ? 'unknown, the API does not answer' : `Ready: ${status.ready}`
  return [...lines, `node ${instance.nodeName}: ${word}`, `KUBECONFIG=${layout.kubeconfig}`].join(
    '\n',
  )
}
