import { listIn, objectIn } from '../../../common/kubernetes/read-json.ts'
import { isJsonObject } from '../../../common/json/json-object.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import { sameJson } from '../kube-apiserver/objects/fake-object.ts'
import type { FakeObject } from '../kube-apiserver/objects/fake-object.ts'
import type { ClusterAccess } from '../kube-apiserver/cluster-access.ts'
import {
  isTerminalPod,
  runningContainers,
  terminatedContainer,
  withCondition,
} from './pod-state.ts'
import type { EndedContainer } from './pod-state.ts'
import { createNodeState } from './node-state.ts'
import type { PodProcess } from './node-state.ts'
import { podEnds } from './pod-ends.ts'
import { quantity } from '../../../operator/resources/quantity.ts'
import type { Random } from '../../support/random.ts'
import type { Trace } from '../world/trace.ts'
import { namespace } from '../world/settings.ts'

export interface Kubelets {
  /** Pods of the node run on or stand still, and send no status. False while another one is lost. */
  loseNode(runsOn: boolean): boolean
  returnNode(): void
  /** Drained: the API requests the pod's deletion, and says that it is not the pod's fault. */
  evict(podName: string): void
  /** A container ended while the pod goes on. */
  containerEnded(podName: string, ended: EndedContainer): void
  /** Pods that run, by name, in the order of their start. */
  running(): string[]
  /** Nodes have no room for a larger size of a pod for a time. */
  deferResizes(durationMs: number): void
}

const nodes = ['node-1', 'node-2', 'node-3'] as const
/** NotReady after missed heartbeats, then the toleration of the runner's pods. */
const taintedAfterMs = 30_000

/** The scheduler, three nodes with their kubelets, and the taint manager. */
export function runKubelets(deps: {
  clock: Clock
  random: Random
  cluster: ClusterAccess
  trace: Trace
  /** vCPUs of all nodes together; null: there is always room. */
  roomVcpus: number | null
  start: (
    pod: { readonly name: string; readonly uid: string },
    onExit: (ended: readonly EndedContainer[]) => void,
  ) => PodProcess
}): Kubelets {
  const { clock, random, cluster, trace } = deps
  const state = createNodeState(cluster)
  const { pods, ends, current, living, setStatus } = state
  const { exited, report, terminate, vanish, expire } = podEnds(state, { random, cluster, later })
  const startedMs = new Map<string, number>()
  let fullUntilMs = 0

  cluster.onChange(({ kind, type, object, previous }) => {
    if (kind !== 'Pod') return
    const { name, uid } = object.metadata
    if (type === 'MODIFIED') specChanged(object, previous)
    if (type === 'ADDED') later(random.between(100, 2_500), () => schedule(name, uid))
    if (type === 'DELETED') later(untilNoticed(), () => vanish(name, uid))
    if (type === 'MODIFIED' && object.metadata.deletionTimestamp !== undefined) {
      later(random.between(50, 400), () => terminate(name, uid))
    }
  })

  return {
    loseNode(runsOn) {
      if (state.lost !== null) return false
      const [first] = [...pods.values()].filter(({ hasEnded }) => !hasEnded)
      const node = first?.node ?? nodes[0]
      state.lost = node
      trace.add('cluster', `${node} is lost`)
      for (const pod of state.podsOn(node)) if (!runsOn) pod.process.freeze()
      later(taintedAfterMs, () => (state.isOut(node) ? taint(node) : undefined))
      return true
    },
    returnNode() {
      const node = state.lost
      if (node === null) return
      trace.add('cluster', `${node} is back`)
      for (const pod of state.podsOn(node)) pod.process.thaw()
      state.lost = null
      for (const [name, { uid }] of pods) {
        if (pods.get(name)?.node === node)
          later(random.between(500, 3_000), () => syncPod(name, uid))
      }
    },
    evict(name) {
      if (living(name) === null) return
      setStatus(name, (status) =>
        withCondition(status, 'DisruptionTarget', 'EvictionByEvictionAPI'),
      )
      cluster.delete('Pod', namespace, name)
    },
    containerEnded(name, ended) {
      if (living(name) === null) return
      setStatus(name, (status) => ({
        ...status,
        containerStatuses: [
          ...runningContainers(startOf(status)).filter(
            (container) => !('name' in container) || container.name !== ended.name,
          ),
          terminatedContainer(ended),
        ],
      }))
    },
    deferResizes(durationMs) {
      fullUntilMs = clock.monotonicMs() + durationMs
    },
    running: () =>
      [...pods]
        .filter(([name, { hasEnded }]) => !hasEnded && living(name) !== null)
        .map(([name]) => name),
  }

  function later(delayMs: number, act: () => void): void {
    clock.schedule(delayMs, act)
  }

  function startOf(status: Readonly<Record<string, unknown>>): string {
    const { startTime } = status
    return typeof startTime === 'string' ? startTime : clock.wall().toISOString()
  }

  /** A pod that is deleted by force runs on until its kubelet hears of it. */
  function untilNoticed(): number {
    return random.chance(0.4) ? random.between(2_000, 25_000) : random.between(50, 1_000)
  }

  function schedule(name: string, uid: string): void {
    const pod = current(name, uid)
    if (pod === null || pod.metadata.deletionTimestamp !== undefined) return
    if (!hasRoom(pod)) {
      setStatus(name, (status) => withCondition(status, 'PodScheduled', 'Unschedulable', 'False'))
      return later(random.between(500, 2_000), () => schedule(name, uid))
    }
    const node = random.pick(nodes.filter((each) => !state.isOut(each)))
    cluster.update('Pod', namespace, name, (object) => ({
      ...object,
      spec: { ...object.spec, nodeName: node },
    }))
    const startTime = clock.wall().toISOString()
    const process = deps.start({ name, uid }, (ended) => exited(name, uid, ended))
    pods.set(name, { uid, node, process, hasEnded: false })
    later(random.between(100, 1_000), () => {
      if (living(name) === null || state.isOut(node)) return
      setStatus(name, (status) => ({
        startTime,
        containerStatuses: runningContainers(startTime),
        ...status,
        phase: 'Running',
      }))
    })
    startedMs.set(uid, clock.monotonicMs())
    watchDeadline(pod)
  }

  function hasRoom(pod: FakeObject): boolean {
    if (deps.roomVcpus === null) return true
    const used = [...pods]
      .filter(([, { hasEnded }]) => !hasEnded)
      .reduce((sum, [name, { uid }]) => sum + vcpusOf(current(name, uid)), 0)
    return used + vcpusOf(pod) <= deps.roomVcpus
  }

  /** The kubelet counts it from the start of the pod, also if it is set later. */
  function watchDeadline({ metadata: { name, uid }, spec }: FakeObject): void {
    const seconds = spec?.['activeDeadlineSeconds']
    const sinceMs = startedMs.get(uid)
    if (typeof seconds !== 'number' || sinceMs === undefined) return
    later(Math.max(0, sinceMs + seconds * 1_000 - clock.monotonicMs()), () => expire(name, uid))
  }

  function specChanged(pod: FakeObject, previous: FakeObject | null): void {
    const { name, uid } = pod.metadata
    if (pod.spec?.['activeDeadlineSeconds'] !== previous?.spec?.['activeDeadlineSeconds']) {
      watchDeadline(pod)
    }
    if (sameJson(pod.spec?.['containers'], previous?.spec?.['containers'])) return
    const leftMs = fullUntilMs - clock.monotonicMs()
    if (leftMs <= 0) return
    later(random.between(50, 500), () => pend(name, uid, 'True'))
    later(leftMs + 1_000, () => pend(name, uid, 'False'))
  }

  function pend(name: string, uid: string, status: 'True' | 'False'): void {
    const pod = current(name, uid)
    if (pod === null || isTerminalPod(pod) || state.isOut(pods.get(name)?.node ?? '')) return
    setStatus(name, (now) => withCondition(now, 'PodResizePending', 'Deferred', status))
  }

  function taint(node: string): void {
    for (const [name, pod] of pods) {
      if (pod.node !== node || living(name)?.metadata.uid !== pod.uid) continue
      setStatus(name, (status) =>
        withCondition(status, 'DisruptionTarget', 'DeletionByTaintManager'),
      )
      cluster.delete('Pod', namespace, name)
    }
  }

  /** A kubelet that is back catches up with the pods bound to it, and reports those that have ended. */
  function syncPod(name: string, uid: string): void {
    const object = current(name, uid)
    if (object === null) return vanish(name, uid)
    const ended = ends.get(uid)
    if (ended !== undefined) return report(name, uid, ended)
    if (object.metadata.deletionTimestamp !== undefined) terminate(name, uid)
  }
}

function vcpusOf(pod: FakeObject | null): number {
  const containers = listIn(pod?.spec ?? {}, 'containers').filter(isJsonObject)
  const ffmpeg = containers.find(({ name }) => name === 'ffmpeg') ?? {}
  const { cpu } = objectIn(objectIn(ffmpeg, 'resources'), 'limits')
  return typeof cpu === 'string' ? (quantity(cpu) ?? 0) : 0
}
