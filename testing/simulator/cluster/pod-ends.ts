import type { ClusterAccess } from '../kube-apiserver/cluster-access.ts'
import type { Random } from '../../support/random.ts'
import { namespace } from '../world/settings.ts'
import type { NodeState } from './node-state.ts'
import { isTerminalPod, terminatedContainer } from './pod-state.ts'
import type { EndedContainer } from './pod-state.ts'

interface PodEndDeps {
  readonly random: Random
  readonly cluster: ClusterAccess
  readonly later: (delayMs: number, act: () => void) => void
}

/** The ways in which a pod ends, and the status that its kubelet reports then. */
export function podEnds(state: NodeState, { random, cluster, later }: PodEndDeps) {
  const { pods, ends, current, setStatus } = state
  return { exited, report, terminate, vanish, expire }

  /** The status follows the end of a pod by a second. */
  function exited(name: string, uid: string, ended: readonly EndedContainer[]): void {
    const pod = pods.get(name)
    if (pod?.uid !== uid || pod.hasEnded) return
    pod.hasEnded = true
    later(random.between(100, 1_200), () => {
      if (state.isOut(pod.node)) return
      report(name, uid, ended)
    })
    ends.set(uid, ended)
  }

  function report(name: string, uid: string, ended: readonly EndedContainer[]): void {
    const pod = current(name, uid)
    if (pod === null || isTerminalPod(pod)) return
    const phase = ended.every(({ exitCode }) => exitCode === 0) ? 'Succeeded' : 'Failed'
    setStatus(name, (status) => ({
      ...status,
      phase,
      containerStatuses: ended.map(terminatedContainer),
    }))
    if (current(name, uid)?.metadata.deletionTimestamp === undefined) return
    later(random.between(50, 500), () => {
      if (current(name, uid) !== null) cluster.finishGrace('Pod', namespace, name)
    })
  }

  function terminate(name: string, uid: string): void {
    const pod = pods.get(name)
    const object = current(name, uid)
    if (object === null || pod === undefined || state.isOut(pod.node)) return
    if (isTerminalPod(object)) return cluster.finishGrace('Pod', namespace, name)
    if (pod.hasEnded) return
    pod.process.interrupt()
    later(1_000 * (object.metadata.deletionGracePeriodSeconds ?? 0), () => {
      if (!state.isOut(pod.node)) kill(name, uid)
    })
  }

  function kill(name: string, uid: string): void {
    const pod = pods.get(name)
    if (pod?.uid !== uid || pod.hasEnded) return
    pod.process.kill()
    exited(name, uid, killedContainers)
  }

  /** The object of a pod is gone: a moment later the kubelet stops it. */
  function vanish(name: string, uid: string): void {
    const pod = pods.get(name)
    if (pod?.uid !== uid || state.isOut(pod.node)) return
    pod.process.kill()
    pods.delete(name)
  }

  function expire(name: string, uid: string): void {
    const pod = pods.get(name)
    if (pod?.uid !== uid || pod.hasEnded || state.isOut(pod.node)) return
    pod.process.kill()
    pod.hasEnded = true
    ends.set(uid, killedContainers)
    setStatus(name, (status) => ({
      ...status,
      phase: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
      containerStatuses: killedContainers.map(terminatedContainer),
    }))
  }
}

const killedContainers: readonly EndedContainer[] = ['transfer', 'ffmpeg'].map((name) => ({
  name,
  exitCode: 137,
  reason: 'Error',
}))
