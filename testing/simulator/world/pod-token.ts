import { parsePodName } from '../../../common/domain/pod-name.ts'
import type { Verified } from '../../../operator/gateway/identity/runner-identity.ts'

/** What the cluster would sign into the token of a pod: readable, and believed. */
export function podToken(pod: { readonly name: string; readonly uid: string }): string {
  return `Bearer ${pod.name}/${pod.uid}`
}

export function verifyPodToken(authorization: string | null): Promise<Verified> {
  const [podName = '', podUid = ''] = (authorization ?? '').replace(/^Bearer /, '').split('/')
  const command = parsePodName(podName)
  return Promise.resolve(
    command === null
      ? { kind: 'foreign', reason: 'not a pod of a command' }
      : { kind: 'runner', runner: { ...command, podUid, podName } },
  )
}
