import type { ClusterAccess } from '../kube-apiserver/cluster-access.ts'
import type { FakeObject } from '../kube-apiserver/objects/fake-object.ts'
import { namespace } from '../world/settings.ts'
import { isTerminalPod } from './pod-state.ts'
import type { EndedContainer } from './pod-state.ts'

/** The containers of one pod, as the kubelet handles them. */
export interface PodProcess {
  /** SIGTERM; it ends by itself, or does not. */
  interrupt(): void
  kill(): void
  freeze(): void
  thaw(): void
}

export interface Running {
  readonly uid: string
  readonly node: string
  readonly process: PodProcess
  hasEnded: boolean
}

/** Pods as the kubelets of all nodes know them, beside their objects. */
export interface NodeState {
  readonly pods: Map<string, Running>
  /** Containers of the pods that have ended, by the pod's UID. */
  readonly ends: Map<string, readonly EndedContainer[]>
  /** Node that does not answer. */
  lost: string | null
  isOut(node: string): boolean
  podsOn(node: string): Running[]
  /** The object of this very pod. */
  readonly current: (name: string, uid: string) => FakeObject | null
  /** null for a pod that has ended or is being deleted. */
  readonly living: (name: string) => FakeObject | null
  readonly setStatus: (
    name: string,
    change: (status: Readonly<Record<string, unknown>>) => object,
  ) => void
}

export function createNodeState(cluster: ClusterAccess): NodeState {
  const pods = new Map<string, Running>()
  return {
    pods,
    ends: new Map(),
    lost: null,
    isOut(node) {
      return node === this.lost
    },
    podsOn: (node) => [...pods.values()].filter((pod) => pod.node === node),
    current(name, uid) {
      const pod = cluster.get('Pod', namespace, name)
      return pod?.metadata.uid === uid ? pod : null
    },
    living(name) {
      const pod = cluster.get('Pod', namespace, name)
      return pod === null || isTerminalPod(pod) || pod.metadata.deletionTimestamp !== undefined
        ? null
        : pod
    },
    setStatus: (name, change) => void cluster.updateStatus('Pod', namespace, name, change),
  }
}
