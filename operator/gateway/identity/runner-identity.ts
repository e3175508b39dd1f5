import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { parsePodName, warmRunnerJobOf } from '../../../common/gateway/pod-name.ts'
import type { JSONWebKeySet, JWTPayload } from 'jose'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { WarmRunnerPod } from '../../warm/warm-runner-waiters.ts'

/** The pod that sent a request, as the cluster has signed it. */
export interface Runner {
  readonly commandId: string
  readonly jobGeneration: number
  /** The attempt. */
  readonly podUid: string
  readonly podName: string
}

export interface RunnerIdentity {
  /**
   * @param authorization the header as it came
   * @throws if the cluster's keys cannot be had; that says nothing about the token
   */
  verify(authorization: string | null): Promise<Verified>
}

export type Verified =
  | { readonly kind: 'runner'; readonly runner: Runner }
  /** The database says whether it has a command, and which. */
  | { readonly kind: 'warmRunner'; readonly warmRunner: WarmRunnerPod }
  /** Missing, forged, expired or issued for another audience. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** A good token, but not of one of our runners' pods. */
  | { readonly kind: 'foreign'; readonly reason: string }
  /** A good token of a pod whose command this process has not seen yet. */
  | { readonly kind: 'unseen'; readonly reason: string }

export interface ClusterKeys {
  /** Issuer of service-account tokens, and its public keys. */
  load(): Promise<{ issuer: string; keys: JSONWebKeySet }>
}

export interface RunnerIdentityDeps {
  readonly clusterKeys: ClusterKeys
  readonly clock: Clock
  readonly audience: string
  /** Namespaces of runners' pods, that of the service first, and the service account they run as. */
  readonly namespaces: readonly string[]
  readonly serviceAccount: string
  /** Namespace of the command's object; null: it was not seen. */
  readonly namespaceOf: (commandId: string) => string | null
}

/**
 * Checks projected service-account tokens (Kubernetes, "Service account token volume projection"):
 * they are bound to a pod and name it in a signed claim, so we do not mint, store or rotate a
 * secret. Keys are cached, so runners are authenticated while the API server is unavailable.
 */
export function createRunnerIdentity(deps: RunnerIdentityDeps): RunnerIdentity {
  const { clusterKeys, clock, audience } = deps
  const unknownKeyIds = new Set<string>()
  let loading: Promise<Trusted> | null = null

  return {
    async verify(authorization) {
      const token = /^Bearer ([^\s]+)$/i.exec(authorization ?? '')?.[1]
      if (token === undefined) return { kind: 'invalid', reason: 'no bearer token' }
      try {
        return runnerOf(await payloadOf(token), deps)
      } catch (error) {
        if (error instanceof errors.JOSEError) return { kind: 'invalid', reason: error.code }
        throw error
      }
    },
  }

  async function payloadOf(token: string): Promise<JWTPayload> {
    try {
      return await check(token, await trusted())
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const keyId = decodeProtectedHeader(token).kid ?? ''
      // Once per key: many forged tokens must not cause as many requests for keys.
      if (unknownKeyIds.has(keyId)) throw error
      if (unknownKeyIds.size >= 1_000) unknownKeyIds.clear()
      loading = null
      const fresh = await trusted()
      unknownKeyIds.add(keyId)
      return check(token, fresh)
    }
  }

  async function check(token: string, { issuer, getKey }: Trusted): Promise<JWTPayload> {
    const options = { issuer, audience, currentDate: clock.wall(), requiredClaims: ['exp'] }
    return (await jwtVerify(token, getKey, options)).payload
  }

  function trusted(): Promise<Trusted> {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }

  async function load(): Promise<Trusted> {
    const { issuer, keys } = await clusterKeys.load()
    return { issuer, getKey: createLocalJWKSet(keys) }
  }
}

interface Trusted {
  readonly issuer: string
  readonly getKey: ReturnType<typeof createLocalJWKSet>
}

function runnerOf(
  payload: JWTPayload,
  { namespaces, serviceAccount, namespaceOf }: RunnerIdentityDeps,
): Verified {
  const namespace = namespaces.find(
    (each) => payload.sub === `system:serviceaccount:${each}:${serviceAccount}`,
  )
  if (namespace === undefined) {
    return { kind: 'foreign', reason: 'not the service account of the runners' }
  }
  const isHome = namespace === namespaces[0]
  const pod = field(field(payload, 'kubernetes.io'), 'pod')
  const podName = field(pod, 'name')
  const podUid = field(pod, 'uid')
  if (typeof podName !== 'string' || typeof podUid !== 'string' || podUid === '') {
    return { kind: 'foreign', reason: 'not bound to a pod' }
  }
  if (isHome && warmRunnerJobOf(podName) !== null) {
    return { kind: 'warmRunner', warmRunner: { podUid, podName } }
  }
  const command = parsePodName(podName)
  if (command === null) return { kind: 'foreign', reason: 'not a pod of a command' }
  // Users who may create pods there may name one after any command.
  const found = isHome ? namespace : namespaceOf(command.commandId)
  if (found === null) return { kind: 'unseen', reason: 'its command was not seen yet' }
  if (found !== namespace) return { kind: 'foreign', reason: 'not in the namespace of its command' }
  return { kind: 'runner', runner: { ...command, podUid, podName } }
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.getOwnPropertyDescriptor(value, name)?.value
}
