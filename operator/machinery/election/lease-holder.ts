import { KubeError } from '../../../common/kubernetes/kube-error.ts'
import type { ContainerState, Pod } from '../../../common/kubernetes/resources/objects.ts'
import type { Resource } from '../../../common/kubernetes/resources/resource.ts'
import type { Logger } from '../../../common/runtime/logger.ts'

/**
 * A process in a container of a pod. Its identity names the pod whose status shows whether it still
 * runs.
 */
export interface LeaseHolder {
  readonly podName: string
  readonly podUid: string
  /** Start of the process, by the clock of its node, which is also the clock of the container's times. */
  readonly startedAt: Date
}

/** `NAME_UID_START`: shown by `kubectl get lease`. Names and UIDs hold no underscore. */
export function identityOf({ podName, podUid, startedAt }: LeaseHolder): string {
  return `${podName}_${podUid}_${startedAt.toISOString()}`
}

/** Null for an identity that another program or an earlier version has written. */
export function parseIdentity(identity: string): LeaseHolder | null {
  const [podName, podUid, start, ...rest] = identity.split('_')
  const startedAt = new Date(start ?? '')
  if (!podName || !podUid || rest.length > 0 || Number.isNaN(startedAt.getTime())) return null
  return { podName, podUid, startedAt }
}

/**
 * Whether the holder's process is known to have ended: its pod is gone or has ended, or its container's status shows the
 * end of a run that began before the process and ended after the process's start. A run that ended before that start is
 * an earlier one, and the holder may be the present one.
 */
export function holderHasEnded(holder: LeaseHolder, pod: Pod | null, container: string): boolean {
  if (pod === null || pod.metadata.uid !== holder.podUid) return true
  const { phase, containers } = pod.status
  if (phase === 'Succeeded' || phase === 'Failed') return true
  const status = containers.find(({ name }) => name === container)
  return [status?.state, status?.lastState].some((state) => isEndOf(holder, state ?? null))
}

/** Times of containers are cut to seconds, so a run of less than a second is not recognised: the Lease's end decides. */
function isEndOf({ startedAt }: LeaseHolder, state: ContainerState | null): boolean {
  if (state?.kind !== 'terminated' || state.startedAt === null || state.finishedAt === null) {
    return false
  }
  const startMs = startedAt.getTime()
  return Date.parse(state.startedAt) <= startMs && Date.parse(state.finishedAt) > startMs
}

/**
 * Reads the pod of a Lease's holder. Without this a killed leader is replaced only after the full
 * duration of its Lease.
 * @param own the process that reads: an earlier process of its own pod has certainly ended
 */
export function createHolderCheck(deps: {
  readonly pods: Resource<Pod>
  readonly namespace: string
  readonly container: string
  readonly own: LeaseHolder
  readonly deadlineMs: number
  readonly logger: Logger
}): (identity: string, signal: AbortSignal) => Promise<boolean> {
  let isFailing = false
  return async (identity, signal) => {
    const holder = parseIdentity(identity)
    if (holder === null) return false
    if (holder.podUid === deps.own.podUid) return holder.startedAt < deps.own.startedAt
    try {
      const options = { signal, deadlineMs: deps.deadlineMs, retry: false }
      const pod = await deps.pods.get(deps.namespace, holder.podName, options)
      isFailing = false
      return holderHasEnded(holder, pod, deps.container)
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      if (!isFailing) deps.logger.warn("cannot read the pod of the Lease's holder", { error })
      isFailing = true
      return false
    }
  }
}
