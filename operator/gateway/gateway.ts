import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { acceptResult } from './calls/accept-result.ts'
import { refused, unavailable, final, ok, superseded } from './calls/answers.ts'
import { createAttemptRequests } from './calls/attempt-requests.ts'
import { assign } from './calls/assign.ts'
import { ffmpegContainerLost } from './calls/ffmpeg-container-lost.ts'
import {
  parseCompleteRequest,
  parseFfmpegContainerLost,
  parsePartsRequest,
  parseProgressReport,
  parseResult,
  parseUploadRequest,
} from './parse-message.ts'
import { completeUpload, signParts, signUploads } from './calls/sign-uploads.ts'
import type { GatewayResponse } from './calls/answers.ts'
import type { AttemptRequests } from './calls/attempt-requests.ts'
import type { GatewayDeps } from './calls/gateway-deps.ts'
import type { Parsed } from './parse-message.ts'
import type { Runner } from './identity/runner-identity.ts'
import type { ProgressReport } from '../../common/gateway/messages.ts'

export interface GatewayRequest {
  readonly method: string
  readonly path: string
  /** The Authorization header. */
  readonly authorization: string | null
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown
}

export interface Gateway {
  /** Checks route and token, before the body is read. Never rejects. @returns null: go on */
  refusal(request: Omit<GatewayRequest, 'body'>): Promise<GatewayResponse | null>
  /** Never rejects. */
  handle(request: GatewayRequest): Promise<GatewayResponse>
}

/**
 * The runners' side of the control plane, without sockets. Every replica serves it: requests hold
 * no state and the transactions decide, so a failover loses no report.
 *
 * The caller's identity is never in a message: command, round and attempt come from the pod's
 * signed token, so a runner can act for itself only.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  const { onRefusal = () => undefined } = deps
  const requests = createAttemptRequests(deps.effects.clock, onRefusal)
  return {
    async refusal(request) {
      const checked = await runnerOf(deps, { ...request, body: undefined })
      if ('answer' in checked) return checked.answer
      if (!gatewayRoutes.includes(`${request.method} ${request.path}`)) return noSuchRoute
      return requests.take(checked.runner.podUid, request.path)
    },
    async handle(request) {
      const response = await answer(deps, request, requests)
      try {
        return await deps.effects.failpoint('gateway.replied', () => Promise.resolve(response))
      } catch (error) {
        return failed(deps, null, request, error)
      }
    },
  }
}

/** Method and path of every request that a runner makes. */
export const gatewayRoutes: readonly string[] = [
  'GET /v1/assignment',
  'POST /v1/progress',
  'POST /v1/uploads',
  'POST /v1/uploads/parts',
  'POST /v1/uploads/complete',
  'POST /v1/result',
  'POST /v1/ffmpeg-container-lost',
]

async function answer(
  deps: GatewayDeps,
  request: GatewayRequest,
  requests: AttemptRequests,
): Promise<GatewayResponse> {
  const checked = await runnerOf(deps, request)
  if ('answer' in checked) return checked.answer
  try {
    const answered = await route(deps, checked.runner, request)
    requests.allowParts(checked.runner.podUid, partsIn(answered.body))
    return answered
  } catch (error) {
    return failed(deps, checked.runner, request, error)
  }
}

/** Parts of uploads for which an answer has URLs. */
function partsIn(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 0
  if ('urls' in body && Array.isArray(body.urls)) return body.urls.length
  if (!('grants' in body) || !Array.isArray(body.grants)) return 0
  return body.grants.reduce<number>((sum, grant) => sum + partsIn(grant), 0)
}

const noSuchRoute = refused(404, 'No such route')

async function runnerOf(
  deps: GatewayDeps,
  request: GatewayRequest,
): Promise<{ runner: Runner } | { answer: GatewayResponse }> {
  try {
    const verified = await deps.identity.verify(request.authorization)
    if (verified.kind === 'runner') return { runner: verified.runner }
    deps.logger.warn('refused a runner', { reason: verified.reason })
    return { answer: refused(verified.kind === 'invalid' ? 401 : 403, verified.reason) }
  } catch (error) {
    return { answer: failed(deps, null, request, error) }
  }
}

function route(
  deps: GatewayDeps,
  runner: Runner,
  { method, path, body }: GatewayRequest,
): Promise<GatewayResponse> {
  const parsed = async <T>({ parse, accept }: Handler<T>): Promise<GatewayResponse> => {
    const message = parse(body)
    return 'problem' in message
      ? refused(422, message.problem)
      : accept(deps, runner, message.message)
  }
  switch (`${method} ${path}`) {
    case 'GET /v1/assignment':
      return assign(deps, runner)
    case 'POST /v1/progress':
      return parsed({ parse: parseProgressReport, accept: acceptProgress })
    case 'POST /v1/uploads':
      return parsed({ parse: parseUploadRequest, accept: signUploads })
    case 'POST /v1/uploads/parts':
      return parsed({ parse: parsePartsRequest, accept: signParts })
    case 'POST /v1/uploads/complete':
      return parsed({ parse: parseCompleteRequest, accept: completeUpload })
    case 'POST /v1/result':
      return parsed({ parse: parseResult, accept: acceptResult })
    case 'POST /v1/ffmpeg-container-lost':
      return parsed({ parse: parseFfmpegContainerLost, accept: ffmpegContainerLost })
    default:
      return Promise.resolve(noSuchRoute)
  }
}

interface Handler<T> {
  readonly parse: (body: unknown) => Parsed<T>
  readonly accept: (deps: GatewayDeps, runner: Runner, message: T) => Promise<GatewayResponse>
}

/**
 * A transient error is answered with 503, and the runner retries; it holds its result until then.
 */
function failed(
  { logger }: GatewayDeps,
  runner: Runner | null,
  { method, path }: GatewayRequest,
  error: unknown,
): GatewayResponse {
  const request = {
    route: `${method} ${path}`,
    command_id: runner?.commandId,
    attempt: runner?.podUid,
  }
  const passing =
    error instanceof DatabaseUnavailable ||
    error instanceof ObjectStoreUnavailable ||
    isKubeError(error)
  if (passing) {
    logger.warn('cannot answer a runner now', { ...request, error })
    return unavailable(error.message)
  }
  logger.error('a request of a runner failed', { ...request, error })
  return { status: 500, body: { detail: 'Internal error' }, retryAfterSeconds: 5 }
}

/** One statement; a lost or finished attempt gets the order to stop here. */
export async function acceptProgress(
  { store, effects }: GatewayDeps,
  { commandId, podUid }: Runner,
  report: ProgressReport,
): Promise<GatewayResponse> {
  const stored = await effects.failpoint('gateway.progress_stored', () =>
    store.storeProgress({ commandId, attempt: podUid, ...report }),
  )
  switch (stored.kind) {
    case 'stored':
      return ok({ cancel: stored.cancel })
    case 'final':
      return final(stored)
    case 'superseded':
      return superseded
  }
}
