import { parsePodName, warmRunnerJobOf } from '../../../common/gateway/pod-name.ts'
import type { Verified } from '../../../operator/gateway/identity/runner-identity.ts'

/** Facts in the cluster's status about our processes, as far as a candidate for the Lease can read it. */
export interface KnownProcesses {
  /** The status shows the end of this process. */
  ended(name: string): void
  /**
   * Whether `reader` can know of the end of a process: from the status, or because it is a later process of the same
   * container.
   */
  isKnownToHaveEnded(name: string, reader: string): boolean
}

export function createKnownProcesses(): KnownProcesses {
  const shown = new Set<string>()
  return {
    ended: (name) => void shown.add(name),
    isKnownToHaveEnded(name, reader) {
      const isEarlier = containerOf(name) === containerOf(reader) && name !== reader
      return isEarlier || shown.has(name)
    },
  }
}

/** Processes are named `CONTAINER#RUN`. */
function containerOf(name: string): string {
  return name.slice(0, name.indexOf('#'))
}

/** Token of a pod, as the cluster would sign it: readable, and trusted. */
export function podToken(pod: { readonly name: string; readonly uid: string }): string {
  return `Bearer ${pod.name}/${pod.uid}`
}

export function verifyPodToken(authorization: string | null): Promise<Verified> {
  const [podName = '', podUid = ''] = (authorization ?? '').replace(/^Bearer /, '').split('/')
  if (warmRunnerJobOf(podName) !== null) {
    return Promise.resolve({ kind: 'warmRunner', warmRunner: { podUid, podName } })
  }
  const command = parsePodName(podName)
  return Promise.resolve(
    command === null
      ? { kind: 'foreign', reason: 'not a pod of a command' }
      : { kind: 'runner', runner: { ...command, podUid, podName } },
  )
}
