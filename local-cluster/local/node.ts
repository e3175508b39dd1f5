import path from 'node:path'
import { pauseImageName } from '../images/pause-image.ts'
import type { Instance } from '../host/instance.ts'
import { isRecord } from '../host/run-command.ts'
import {
  childrenOf,
  end,
  endProcess,
  logTail,
  runningProcess,
  startDetached,
} from '../host/processes.ts'
import { joinSystemGroup } from '../host/system-group.ts'
import { systemFolders } from '../tools/find-command.ts'
import { waitFor } from '../host/wait-for.ts'
import type { ApiClient } from './api-client.ts'
import type { LocalLayout } from './layout.ts'

export interface NodeParts {
  readonly instance: Instance
  readonly layout: LocalLayout
  readonly kubernetes: string
  readonly pauseArchive: string
}

export const nodeScript = path.join(import.meta.dirname, 'node.sh')

/** Starts the node's namespaces and what runs in them; it is not Ready yet. */
export async function startNode(parts: NodeParts): Promise<void> {
  const { instance, layout, kubernetes, pauseArchive } = parts
  const node = await startDetached({
    name: 'node',
    group: layout,
    command: 'nsenter',
    args: [
      // not `ip netns exec`, which mounts /sys anew and so hides the control groups
      `--net=/run/netns/${instance.networkNamespace}`,
      'unshare',
      '--mount',
      '--propagation',
      'private',
      '--pid',
      '--fork',
      '--kill-child',
      '--mount-proc',
      '--uts',
      nodeScript,
      layout.folder,
      layout.keys,
      instance.nodeName,
      instance.nodeAddress,
      pauseArchive,
      pauseImageName,
      kubernetes,
    ],
    env: { PATH: [process.env['PATH'], ...systemFolders].join(path.delimiter) },
  })
  // kubelet and containerd; the kubelet puts the pods into their own group
  await joinSystemGroup(instance, node)
}

/** A power cut: every process of the node ends at once, containers too. */
export async function stopNode(layout: LocalLayout): Promise<void> {
  const outer = await runningProcess(layout, 'node')
  const inner = outer === undefined ? [] : await childrenOf(outer.pid)
  await endProcess(layout, 'node')
  // the first process of a process namespace is gone only when all others are, and with them every mount
  await Promise.all(inner.map((each) => end(each, 'SIGKILL', 20_000)))
}

export interface NodeStatus {
  readonly ready: boolean
  readonly heartbeat: string
}

/** Undefined while there is no such node, or no API. */
export async function nodeStatus(
  client: ApiClient,
  { nodeName }: Instance,
): Promise<NodeStatus | undefined> {
  try {
    return parseNodeStatus(await client.get(`/api/v1/nodes/${nodeName}`))
  } catch {
    return undefined
  }
}

/**
 * Waits until the node itself reports Ready. After a power cut the node seems Ready for a while longer: only a heartbeat
 * other than the one from before counts.
 */
export async function waitForNode(
  client: ApiClient,
  { instance, layout }: Pick<NodeParts, 'instance' | 'layout'>,
  before: NodeStatus | undefined,
): Promise<void> {
  await waitFor(
    async () => {
      const status = await nodeStatus(client, instance)
      return status !== undefined && status.ready && status.heartbeat !== before?.heartbeat
    },
    {
      what: `node ${instance.nodeName} to be Ready`,
      everyMs: 100,
      explain: async () =>
        [await logTail(layout, 'node'), await logTail(layout, 'kubelet')].join('\n'),
    },
  )
}

function parseNodeStatus(body: unknown): NodeStatus | undefined {
  if (!isRecord(body) || !isRecord(body['status'])) return undefined
  const { conditions } = body['status']
  if (!Array.isArray(conditions)) return undefined
  const ready: unknown = conditions.find(
    (each: unknown) => isRecord(each) && each['type'] === 'Ready',
  )
  if (!isRecord(ready)) return undefined
  return { ready: ready['status'] === 'True', heartbeat: String(ready['lastHeartbeatTime']) }
}
