import { ObjectStoreUnavailable } from '../../common/storage/object-store.ts'
import { DatabaseUnavailable } from '../../common/store/health.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { acceptResult } from './calls/accept-result.ts'
import {
  refused,
  unavailable,
  final,
  ok,
  otherSteps,
  superseded,
  unbound,
  unknownStep,
} from './calls/answers.ts'
import { createAttemptRequests } from './calls/attempt-requests.ts'
import { assign } from './calls/assign.ts'
import { assignWarmRunner } from './calls/assign-warm-runner.ts'
import { createCommandOf } from './calls/command-of-warm-runner.ts'
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
import type { GatewayDeps } from './calls/gateway-deps.ts'
import type { Parsed } from './parse-message.ts'
import type { WarmRunnerPod } from '../warm/warm-runner-waiters.ts'
import type { Runner } from './identity/runner-identity.ts'
import type { ProgressReport } from '../../common/gateway/messages.ts'

/** A request before its body is read. */
export interface RequestHead {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** The Authorization header. */
  readonly authorization: string | null
}

/** The pod that makes a request. */
export type Caller =
  | { readonly kind: 'runner'; readonly runner: Runner }
  | { readonly kind: 'warmRunner'; readonly warmRunner: WarmRunnerPod }

export interface GatewayRequest extends Omit<RequestHead, 'authorization'> {
  readonly caller: Caller
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown
  /** Aborts when the connection closes: a request that waits ends then. */
  readonly closed: AbortSignal
}

export interface Gateway {
  /** Checks token, route and rate, before the body is read. Never rejects. */
  admit(head: RequestHead): Promise<{ caller: Caller } | { refusal: GatewayResponse }>
  /** Never rejects. */
  handle(request: GatewayRequest): Promise<GatewayResponse>
  /** Answers the requests that wait: the process stops. */
  release(): void
}

/**
 * The runners' side of the control plane, without sockets. Every replica serves it: requests hold
 * no state and the transactions decide, so a failover loses no report.
 *
 * The caller's identity is never in a message: command, generation and attempt come from the pod's
 * signed token, so a runner can act for itself only.
 */
export function createGateway(deps: GatewayDeps): Gateway {
  const { onRefusal = () => undefined } = deps
  const requests = createAttemptRequests(deps.effects.clock, onRefusal)
  const commandOf = createCommandOf(deps.store)
  return {
    async admit(head) {
      const verified = await verify(deps, head)
      if ('refusal' in verified) return verified
      const { pathname } = splitPath(head.path)
      if (!gatewayRoutes.includes(`${head.method} ${pathname}`)) return { refusal: noSuchRoute }
      const refusal = requests.take(podUidOf(verified.caller), pathname)
      return refusal === null ? verified : { refusal }
    },
    async handle(request) {
      const response = await answer(request).catch((error: unknown) =>
        failed(deps, request.caller, request, error),
      )
      try {
        return await deps.effects.failpoint('gateway.replied', () => Promise.resolve(response))
      } catch (error) {
        return failed(deps, null, request, error)
      }
    },
    release: () => deps.warmRunners.waiters.release(),
  }

  async function answer(request: GatewayRequest): Promise<GatewayResponse> {
    const { caller, method, path, closed } = request
    if (caller.kind === 'runner') return route(deps, caller.runner, request)
    const { warmRunner } = caller
    const { pathname, query } = splitPath(path)
    if (`${method} ${pathname}` === 'GET /v1/assignment') {
      const waitedSeconds = Number(query.get('waited') ?? 0)
      const isValid = waitedSeconds >= 0 && waitedSeconds <= longestWaitSeconds
      if (!isValid) return refused(400, `waited must be 0 to ${longestWaitSeconds} seconds`)
      return assignWarmRunner(deps, warmRunner, { waitedSeconds, closed })
    }
    const command = await commandOf(warmRunner.podUid)
    return command === null ? unbound : route(deps, { ...command, ...warmRunner }, request)
  }
}

/** A warm runner is replaced long before. */
const longestWaitSeconds = 604_800

function splitPath(path: string): { pathname: string; query: URLSearchParams } {
  const [pathname = '', query = ''] = path.split('?', 2)
  return { pathname, query: new URLSearchParams(query) }
}

export function podUidOf(caller: Caller): string {
  return caller.kind === 'runner' ? caller.runner.podUid : caller.warmRunner.podUid
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

const noSuchRoute = refused(404, 'No such route')

async function verify(
  deps: GatewayDeps,
  head: RequestHead,
): Promise<{ caller: Caller } | { refusal: GatewayResponse }> {
  try {
    const verified = await deps.identity.verify(head.authorization)
    if (verified.kind === 'runner' || verified.kind === 'warmRunner') return { caller: verified }
    deps.logger.warn('refused a runner', { reason: verified.reason })
    if (verified.kind === 'unseen') return { refusal: unavailable(verified.reason) }
    return { refusal: refused(verified.kind === 'invalid' ? 401 : 403, verified.reason) }
  } catch (error) {
    return { refusal: failed(deps, null, head, error) }
  }
}

async function route(
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
  switch (`${method} ${splitPath(path).pathname}`) {
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
      return noSuchRoute
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
  caller: Caller | null,
  { method, path }: Pick<RequestHead, 'method' | 'path'>,
  error: unknown,
): GatewayResponse {
  const request = {
    route: `${method} ${splitPath(path).pathname}`,
    command_id: caller?.kind === 'runner' ? caller.runner.commandId : undefined,
    attempt: caller === null ? undefined : podUidOf(caller),
  }
  const passing =
    error instanceof DatabaseUnavailable ||
    error instanceof ObjectStoreUnavailable ||
    isKubeError(error)
  if (passing) {
    logger.warn('gateway request failed; the runner retries', { ...request, error })
    return unavailable(error.message)
  }
  logger.error('a request of a runner failed', { ...request, error })
  return { status: 500, body: { detail: 'Internal error' }, retryAfterSeconds: 5 }
}

/** One statement; a lost or finished attempt gets the order to stop here. */
export async function acceptProgress(
  { store, effects, notify }: GatewayDeps,
  { commandId, podUid }: Runner,
  report: ProgressReport,
): Promise<GatewayResponse> {
  const unknown = unknownStep(report)
  if (unknown !== null) return unknown
  const stored = await effects.failpoint('gateway.progress_stored', () =>
    store.storeProgress({ commandId, attempt: podUid, ...report }),
  )
  switch (stored.kind) {
    case 'stored':
      notify(commandId, 'progress')
      return ok({ cancel: stored.cancel })
    case 'final':
      return final(stored)
    case 'superseded':
      return superseded
    case 'other-steps':
      return otherSteps(stored.steps, report.steps.length)
  }
}
