import { safeStatusMessage, saysPolicy, saysQuota } from './status-message.ts'
import { listIn, objectIn } from './read-json.ts'
import { isJsonObject } from '../json/json-object.ts'
import type { JsonObject } from '../json/json-object.ts'

/**
 * - `conflict`: a precondition (resourceVersion, uid) did not hold
 * - `exists`: the name of a create is taken
 * - `gone`: the requested resourceVersion is too old
 * - `absent`: no object of that name
 * - `forbidden`: not authenticated, not allowed, or refused by a policy, which may change
 * - `quota`: a ResourceQuota is exhausted, or not counted yet, or a LimitRange allows less
 * - `invalid`: the API server will never accept this request
 * - `throttled`: too many requests, try later
 * - `transient`: server error, network error or deadline; a write may or may not have happened
 */
export type KubeErrorClass =
  | 'conflict'
  | 'exists'
  | 'gone'
  | 'absent'
  | 'forbidden'
  | 'quota'
  | 'invalid'
  | 'throttled'
  | 'transient'

/** The message names verb, kind and the server's reason; never a body, a token or a whole URL. */
export class KubeError extends Error {
  readonly errorClass: KubeErrorClass
  /** HTTP status; null if no answer came. */
  readonly status: number | null
  /** `reason` of the Status object, e.g. `AlreadyExists`. */
  readonly reason: string | null
  readonly retryAfterMs: number | null
  /** The server names a field of the request that it refuses. */
  readonly namesField: boolean

  constructor(
    facts: {
      message: string
      errorClass: KubeErrorClass
      status: number | null
      reason: string | null
      retryAfterMs: number | null
      namesField?: boolean
    },
    options?: ErrorOptions,
  ) {
    super(facts.message, options)
    this.name = 'KubeError'
    this.errorClass = facts.errorClass
    this.status = facts.status
    this.reason = facts.reason
    this.retryAfterMs = facts.retryAfterMs
    this.namesField = facts.namesField ?? false
  }
}

/** With classes: a KubeError of one of them. Without: any KubeError. */
export function isKubeError(error: unknown, ...classes: KubeErrorClass[]): error is KubeError {
  if (!(error instanceof KubeError)) return false
  return classes.length === 0 || classes.includes(error.errorClass)
}

/**
 * Error of an answer that is not 2xx.
 * @param call the request, e.g. `create Job`
 * @param body the parsed body: a `Status` of the API server, or any text of a proxy
 */
export function kubeErrorFrom(
  call: string,
  answer: { status: number; body: unknown; retryAfterMs: number | null },
): KubeError {
  const status = isJsonObject(answer.body) && answer.body['kind'] === 'Status' ? answer.body : {}
  const reason = typeof status['reason'] === 'string' ? status['reason'] : null
  const detail = safeStatusMessage(status)
  return new KubeError({
    message: [`${call}: ${answer.status}`, reason, detail].filter((part) => part).join(' '),
    errorClass: classOf(answer.status, reason, status),
    status: answer.status,
    reason,
    retryAfterMs: answer.retryAfterMs,
    namesField: causesOf(status).some(({ field }) => typeof field === 'string' && field !== ''),
  })
}

/** Error of a call without an answer: the network, a deadline, a body that broke off. */
export function lostReply(call: string, cause: unknown): KubeError {
  const facts = { errorClass: 'transient', status: null, reason: null, retryAfterMs: null } as const
  return new KubeError({ ...facts, message: `${call}: no answer` }, { cause })
}

function classOf(status: number, reason: string | null, body: JsonObject): KubeErrorClass {
  const isRefusal = status >= 400 && status < 500 && status !== 409 && status !== 429
  if (isRefusal && says(body, saysQuota)) return 'quota'
  if (isRefusal && says(body, saysPolicy)) return 'forbidden'
  switch (status) {
    case 401:
    case 403:
      return 'forbidden'
    case 404:
      return 'absent'
    case 408:
      return 'transient'
    case 409:
      return reason === 'AlreadyExists' ? 'exists' : 'conflict'
    case 410:
      return 'gone'
    case 422:
      return isAboutUid(body) ? 'conflict' : 'invalid'
    case 429:
      return 'throttled'
    default:
      return status >= 500 ? 'transient' : 'invalid'
  }
}

/** A patch that names another uid than the object has is refused as a change of the uid. */
function isAboutUid(body: JsonObject): boolean {
  return causesOf(body).some((cause) => cause['field'] === 'metadata.uid')
}

function says(body: JsonObject, test: (text: string) => boolean): boolean {
  return [body, ...causesOf(body)].some(
    ({ message }) => typeof message === 'string' && test(message),
  )
}

function causesOf(body: JsonObject): JsonObject[] {
  return listIn(objectIn(body, 'details'), 'causes').filter(isJsonObject)
}
