import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { publishedNodePort, NoCluster } from '../host/types.ts'
import { instanceOf } from '../host/instance.ts'
import { endProcess, signalProcess } from '../host/processes.ts'
import { exists } from '../tools/cached.ts'
import { localTools } from './ensure-tools.ts'
import { findCommand } from '../tools/find-command.ts'
import { withLock } from '../tools/lock.ts'
import { writeFileWhole } from '../host/write-file-whole.ts'
import { createApiClient } from './api-client.ts'
import { controlPlaneArguments } from './control-plane.ts'
import { localLayout } from './layout.ts'
import { loadImage } from './load-image.ts'
import { nodeConfiguration } from './node-configuration.ts'
import { nodeScript, nodeStatus, startNode, stopNode, waitForNode } from './node.ts'
import { startComponent, startParts, waitForApi } from './start-parts.ts'
import { lockFile, stopLocalCluster } from './stop-local-cluster.ts'
import type { Cluster, StartOptions } from '../host/types.ts'
import type { NodeTools } from './node-configuration.ts'
import type { ClusterParts } from './start-parts.ts'

/**
 * A Kubernetes cluster of one node, of plain processes: the control plane on this machine, the node in namespaces of its own.
 * Starting brings every part to where it should be, after an earlier start or a crash: what runs is kept, what
 * ended is started again, what does not come up is replaced from nothing.
 */
export async function startLocalCluster(options: StartOptions): Promise<Cluster> {
  const instance = instanceOf(options.instance)
  const { settings, say } = options
  await checkKernel()
  const { kubernetes, pauseArchive } = await localTools({ settings, say })
  const layout = localLayout(instance)
  const { nodeMonitorGraceSeconds } = options
  const parts: ClusterParts = {
    instance,
    layout,
    kubernetes,
    pauseArchive,
    ...(nodeMonitorGraceSeconds === undefined ? {} : { nodeMonitorGraceSeconds }),
  }
  const onWait = () => say(`another process starts or stops cluster ${instance.name}, waiting`)
  await withLock(lockFile(instance), onWait, async () => {
    if (options.fresh === true) await stopLocalCluster(instance)
    await startOrReplace(parts, options)
  })
  const client = await createApiClient(layout.keys, instance.hostAddress)
  return {
    provider: 'local',
    instance: instance.name,
    kubeconfig: layout.kubeconfig,
    hostAddress: instance.hostAddress,
    nodeAddress: instance.nodeAddress,
    publishedUrl: `http://${instance.nodeAddress}:${publishedNodePort}`,
    podCidr: instance.podCidr,
    registry: 'registry.e2e',
    kubectl: path.join(kubernetes, 'kubectl'),
    helm: path.join(kubernetes, 'helm'),
    loadImage: (archive, name) => loadImage(layout, { archive, name, say }),
    stopNode: () => stopNode(layout),
    async startNode() {
      const before = await nodeStatus(client, instance)
      await startNode(parts)
      await waitForNode(client, parts, before)
    },
    stopApi: () => endProcess(layout, 'kube-apiserver'),
    async startApi() {
      await startComponent(parts, 'kube-apiserver')
      await waitForApi(client, parts)
    },
    pauseApi: () => signalProcess(layout, 'kube-apiserver', 'SIGSTOP'),
    resumeApi: () => signalProcess(layout, 'kube-apiserver', 'SIGCONT'),
    stop: () => withLock(lockFile(instance), onWait, () => stopLocalCluster(instance)),
  }
}

async function startOrReplace(parts: ClusterParts, options: StartOptions): Promise<void> {
  const { instance, layout } = parts
  const files = nodeConfiguration(instance, layout, await nodeTools())
  const fingerprint = await fingerprintOf(parts, files)
  const there = await exists(layout.fingerprint)
  const same = there && (await readFile(layout.fingerprint, 'utf8')) === fingerprint
  if (!same) await stopLocalCluster(instance)
  const start = async () => {
    await mkdir(layout.folder, { recursive: true })
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(layout.folder, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFileWhole(file, content)
    }
    await startParts(parts, options)
    await writeFileWhole(layout.fingerprint, fingerprint)
  }
  try {
    await start()
  } catch (error) {
    if (!same) throw error
    options.say(`cluster ${instance.name} does not come up again, starting it from nothing`)
    await stopLocalCluster(instance)
    await start()
  }
}

async function nodeTools(): Promise<NodeTools> {
  const runc = await findCommand('runc')
  const nft = await findCommand('nft')
  if (runc === undefined) throw new NoCluster('runc is not on PATH: install the package runc')
  return {
    runc,
    cni: '/usr/lib/cni',
    proxyMode: nft === undefined ? 'iptables' : 'nftables',
  }
}

/** A cluster that was started with other settings, binaries or scripts is not the one that is wanted. */
async function fingerprintOf(
  parts: ClusterParts,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([files, parts.kubernetes, parts.pauseArchive]))
  hash.update(JSON.stringify(controlPlaneArguments(parts)))
  hash.update(await readFile(nodeScript))
  return hash.digest('hex')
}

/**
 * Checks what only the machine's owner can change.
 *
 * @throws NoCluster naming kernel features that are missing and how to get them.
 */
export async function checkKernel(): Promise<void> {
  const fileSystems = await readFile('/proc/filesystems', 'utf8')
  const missing = [
    ...(/\boverlay$/m.test(fileSystems) ? [] : ['overlay']),
    ...((await exists('/proc/sys/net/bridge')) ? [] : ['br_netfilter']),
  ]
  if (missing.length > 0) {
    throw new NoCluster(
      `the kernel lacks ${missing.join(' and ')}: run "modprobe -a ${missing.join(' ')}" as root, outside of any container`,
    )
  }
}
