import {
  CoordinationV1Api,
  CoreV1Api,
  KubeConfig,
  PatchStrategy,
  V1MicroTime,
  setHeaderOptions,
} from '@kubernetes/client-node'
import type { Say } from './tools/progress.ts'

export interface SecondNode {
  /** Takes the node away again. */
  stop(): Promise<void>
}

/**
 * Keeps a second node Ready, with nothing behind it. While every node of a cluster is silent Kubernetes evicts nothing, so without
 * this one a cluster of one node that loses power never leads to what a lost node leads to elsewhere. Its taint keeps pods away.
 */
export async function keepSecondNode({
  kubeconfig,
  name = 'second-node',
  say,
}: {
  readonly kubeconfig: string
  readonly name?: string
  readonly say: Say
}): Promise<SecondNode> {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const coordination = config.makeApiClient(CoordinationV1Api)
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
  const namespace = 'kube-node-lease'

  await remove()
  const taints = [{ key: 'cloud-ffmpeg/nothing-here', effect: 'NoSchedule' }]
  await core.createNode({ body: { metadata: { name }, spec: { taints } } })
  await coordination.createNamespacedLease({
    namespace,
    body: { metadata: { name }, spec: lease() },
  })
  await beat()
  const timer = setInterval(() => {
    beat().catch((error: unknown) => {
      // a beat may fail while a story has the API down; the next one comes in time
      say(`second node: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    })
  }, beatMs)
  return {
    async stop() {
      clearInterval(timer)
      await remove()
    },
  }

  async function beat(): Promise<void> {
    const time = new Date()
    const conditions = conditionTypes.map((type) => ({
      ...{ type, status: type === 'Ready' ? 'True' : 'False', reason: 'Pretended', message: '' },
      ...{ lastHeartbeatTime: time, lastTransitionTime: time },
    }))
    await core.patchNodeStatus({ name, body: { status: { conditions } } }, merge)
    await coordination.patchNamespacedLease({ name, namespace, body: { spec: lease() } }, merge)
  }

  function lease() {
    const renewTime = new V1MicroTime(Date.now())
    return { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
  }

  async function remove(): Promise<void> {
    await unlessGone(core.deleteNode({ name }))
    await unlessGone(coordination.deleteNamespacedLease({ name, namespace }))
  }
}

/** Far below the shortest grace period of a node, which is 20 s. */
const beatMs = 3_000

const conditionTypes = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure']

async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 404)) throw error
  }
}
