import path from 'node:path'
import type { StartOptions } from '../host/types.ts'
import { logTail, runningProcess, startDetached, type DetachedProcess } from '../host/processes.ts'
import { joinSystemGroup } from '../host/system-group.ts'
import { exists } from '../tools/cached.ts'
import { waitFor } from '../host/wait-for.ts'
import { createApiClient, type ApiClient } from './api-client.ts'
import { ensureCertificates } from './certificates.ts'
import { ensureCgroups } from './cgroups.ts'
import { controlPlaneArguments, type Component, type ControlPlaneOptions } from './control-plane.ts'
import { loadImages } from './load-image.ts'
import { createNetwork, networkIsComplete } from './network.ts'
import { nodeStatus, startNode, stopNode, waitForNode, type NodeParts } from './node.ts'

export type ClusterParts = NodeParts & ControlPlaneOptions

/** Starts what does not run, loads images meanwhile, and waits until the cluster takes pods. */
export async function startParts(
  parts: ClusterParts,
  { images, say }: Pick<StartOptions, 'images' | 'say'>,
): Promise<void> {
  const { instance, layout } = parts
  const begun = performance.now()
  const isNew = !(await exists(layout.etcdData))
  await Promise.all([
    ensureCertificates(instance, layout),
    ensureNetwork(parts),
    ensureCgroups(instance),
  ])
  const nodeRuns = (await runningProcess(layout, 'node')) !== undefined
  const started = [
    await startComponent(parts, 'etcd'),
    await startComponent(parts, 'kube-apiserver'),
  ]
  if (isNew) await startNode(parts)
  const loading = loadImages(layout, images ?? Promise.resolve([]), say)
  // Without this, its failure would end the process before a failure of the cluster is shown.
  loading.catch(() => undefined)
  const client = await createApiClient(layout.keys, instance.hostAddress)
  await waitForApi(client, parts)
  // a node that is known from before is read before it starts: its next heartbeat must be another
  const before = nodeRuns ? undefined : await nodeStatus(client, instance)
  if (!isNew && !nodeRuns) await startNode(parts)
  // after the API server: started before it, these two lose seconds to retries
  started.push(await startComponent(parts, 'kube-controller-manager'))
  started.push(await startComponent(parts, 'kube-scheduler'))
  started.push(await startDns(parts))
  await waitForNode(client, parts, isNew ? undefined : before)
  await waitForServiceAccount(client, parts)
  await loading
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const ran = nodeRuns && !started.includes(true)
  say(`cluster ${instance.name} ${ran ? 'is running' : `is ready after ${seconds} s`}`)
}

/** Answers whether it had to be started. */
export async function startComponent(parts: ClusterParts, name: Component): Promise<boolean> {
  const args = controlPlaneArguments(parts)[name]
  return startServer(parts, { name, command: path.join(parts.kubernetes, name), args })
}

/** Answers whether it had to be started. */
async function startServer(
  { instance, layout }: ClusterParts,
  server: Pick<DetachedProcess, 'name' | 'command' | 'args'>,
): Promise<boolean> {
  const running = await runningProcess(layout, server.name)
  await joinSystemGroup(instance, running ?? (await startDetached({ ...server, group: layout })))
  return running === undefined
}

export async function waitForApi(client: ApiClient, { layout }: ClusterParts): Promise<void> {
  await waitFor(() => answers(client, '/readyz'), {
    what: 'the Kubernetes API to be ready',
    everyMs: 100,
    explain: async () =>
      [await logTail(layout, 'etcd'), await logTail(layout, 'kube-apiserver')].join('\n'),
  })
}

/** A node whose network is gone cannot get it back: it holds on to the old namespace. */
async function ensureNetwork({ instance, layout }: ClusterParts): Promise<void> {
  if (await networkIsComplete(instance)) return
  await stopNode(layout)
  await createNetwork(instance)
}

function startDns(parts: ClusterParts): Promise<boolean> {
  const server = path.join(import.meta.dirname, 'dns/server.ts')
  const args = [server, parts.layout.keys, parts.instance.hostAddress]
  return startServer(parts, { name: 'dns', command: process.execPath, args })
}

/** Until it is there, every pod is refused. */
async function waitForServiceAccount(client: ApiClient, { layout }: ClusterParts): Promise<void> {
  await waitFor(() => answers(client, '/api/v1/namespaces/default/serviceaccounts/default'), {
    what: 'the default service account',
    explain: () => logTail(layout, 'kube-controller-manager'),
  })
}

async function answers(client: ApiClient, target: string): Promise<boolean> {
  try {
    await client.get(target)
    return true
  } catch {
    // out of reach, or not there yet
    return false
  }
}
