import { backoff } from '../../common/runtime/backoff.ts'
import { isKubeError, KubeError } from '../../common/kubernetes/kube-error.ts'
import type { FailedDispatch } from '../../common/store/dispatch.ts'

/**
 * The state of the cluster at the time of a failed create:
 * - `written`: etcd accepted a write after the create began
 * - `accepted`: the API server would accept a create; whether etcd accepts writes is unknown
 * - `refused`: the API server answers, but refuses the canary too
 * - `away`: it does not answer, or answers that it is unavailable
 */
export type Proof = 'written' | 'accepted' | 'refused' | 'away'

/**
 * Whether the row is at fault. A server error or a lost reply proves it only if etcd has accepted
 * another write meanwhile: dry runs succeed while etcd is full or its disk hangs, and all queued
 * commands would end after a minute of that.
 */
export function isDefinite(error: unknown, proof: Proof): boolean {
  if (proof === 'away' || proof === 'refused') return false
  if (!(error instanceof KubeError)) return proof === 'written'
  switch (error.errorClass) {
    case 'invalid':
      return true
    case 'forbidden':
      return error.status !== 401
    case 'transient':
      return proof === 'written' && error.status !== 503
    case 'conflict':
    case 'exists':
    case 'gone':
    case 'absent':
    case 'quota':
    case 'throttled':
      return false
  }
}

const mostDefinite = 5
const leastSeconds = 60

/** A row that has failed for this long will not succeed, so its command ends as FAILED. */
export function isVerdict({ definite, errorSeconds }: FailedDispatch): boolean {
  return definite >= mostDefinite && errorSeconds >= leastSeconds
}

const retries = { first: 0.5, longest: 60, jitter: [0.75, 1.25] } as const

/**
 * @param tries failed ones before this one
 * @param random in [0, 1): jitter of 25 % in both directions, since rows fail together
 */
export function retrySeconds(tries: number, random: number): number {
  return backoff(retries, tries + 1, random)
}

/** The kind of error, for the client: without the message, which may name parts of the cluster. */
export function errorKind(error: unknown): string {
  if (isKubeError(error)) {
    return error.status === null ? 'no answer' : `${error.status} ${error.reason ?? ''}`.trim()
  }
  return error instanceof Error ? error.name : 'Error'
}
