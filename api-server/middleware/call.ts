import { refusal } from '../http/errors.ts'
import { requireActive } from '../accounts/allowance.ts'
import { jsonBody } from './json-body.ts'
import { queryParameters } from '../http/lenient.ts'
import { idempotencyKeyIn } from '../limits/idempotency-key.ts'
import { idempotent } from '../limits/idempotent.ts'
import { rateLimited } from '../limits/rate-limited.ts'
import { queryOf } from './request-context.ts'
import { ignoredParameters, withWarnings } from './warnings.ts'
import { wrongMethodHint } from './routing-hints.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { AddressRules } from '../../common/network/address-policy.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Store } from '../../common/store/store.ts'
import type { Context, Endpoint, OpenContext, OpenEndpoint } from '../http/endpoint.ts'
import type { Operation } from '../http/openapi.ts'
import type { IdempotentRequest } from '../limits/idempotent.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { Authenticate } from '../server/authenticate.ts'
import type { ApiHandler, ApiRequest, ApiResponse } from './request-context.ts'
import type { SendAnswer } from './send-answer.ts'

export interface CallDeps {
  readonly authenticate: Authenticate
  readonly rates: RateLimits
  readonly plans: Plans
  readonly store: Pick<
    Store,
    'claimIdempotencyKey' | 'completeIdempotencyKey' | 'releaseIdempotencyKey'
  >
  readonly effects: Effects
  /** Which addresses URLs of customers may name. */
  readonly addressRules: AddressRules
  readonly send: SendAnswer
}

/** Makes the middleware of calls. */
export interface Calls {
  /** A call that needs a key. */
  readonly call: (endpoint: Endpoint) => ApiHandler[]
  /** A call that needs none. */
  readonly open: (endpoint: OpenEndpoint) => ApiHandler[]
  /** The last handler of a path: 405 for a method that the path does not have. */
  readonly wrongMethod: ApiHandler
  /** The operations of all calls made so far. */
  readonly served: readonly Operation[]
}

/**
 * The order of checks is part of the API: path, method, key and what it and its account may, size, JSON,
 * Idempotency-Key, rate, schema, then the checks of the endpoint itself.
 */
export function createCalls(deps: CallDeps): Calls {
  const served: Operation[] = []
  return {
    served,
    call(endpoint) {
      const { operation } = endpoint
      served.push(operation)
      return [
        requireKey(deps.authenticate, operation),
        ...jsonBody(operation.maxBodyBytes),
        answerKeyed(deps, endpoint),
      ]
    },
    open(endpoint) {
      const { operation } = endpoint
      served.push(operation)
      return [named(operation), ...jsonBody(operation.maxBodyBytes), answerOpen(deps, endpoint)]
    },
    wrongMethod(req, res) {
      const route = req.route as { readonly path: string }
      const here = served.filter(({ path }) => expressPath(path) === route.path)
      res.locals.route = here[0]?.path ?? 'unknown'
      const methods = here.map(({ method }) => method.toUpperCase())
      const allow = methods.map((one) => (one === 'GET' ? 'GET, HEAD' : one)).join(', ')
      throw refusal(405, wrongMethodHint(req.method, req.path, served), { Allow: allow })
    },
  }
}

/** A path of openapi.json in the form of Express. */
export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** @throws Refusal 401; 403 for a change by a read-only key or a suspended account; 429 */
function requireKey(authenticate: Authenticate, operation: Operation): ApiHandler {
  const isChange = operation.method !== 'get' && operation.operationId !== 'validateFfmpegCommand'
  return async (req, res, next) => {
    const { locals } = res
    locals.route = operation.path
    locals.isPrivate = true
    const key = await authenticate(req.headers, () => req.ip ?? '')
    if (key.readOnly && isChange) throw refusal(403, readOnly, {}, 'read_only_key')
    if (!operation.whileSuspended) requireActive(key.account)
    locals.key = key
    locals.fields['account'] = key.account.name
    next()
  }
}

const readOnly = 'This key is read-only: it may read and validate; use another key for changes'

/** Checks Idempotency-Key, rate and schema around the endpoint: the first two depend on how it ends. */
function answerKeyed(deps: CallDeps, endpoint: Endpoint): ApiHandler {
  const { rateGroup: group, method, secretAnswer } = endpoint.operation
  const isRepeatable = method === 'post' && !secretAnswer
  return async (req, res) => {
    const { key, log, fields } = res.locals
    if (key === undefined) throw new Error('a call without its key')
    const { account } = key
    const warnings: string[] = []
    const run = (newId: () => string) => {
      const context: Context = {
        key,
        log,
        fields,
        newId,
        warnings,
        isStillValid: () => deps.authenticate.isStillValid(req.headers),
        addressRules: deps.addressRules,
        ignores: (names) => ignoredParameters(res, names),
      }
      return endpoint.answer(requestOf(endpoint.operation, req, res), context)
    }
    const limited = (newId: () => string) =>
      group === null ? run(newId) : rateLimited(deps, { group, account, log }, () => run(newId))
    const idempotencyKey = isRepeatable ? idempotencyKeyIn(req.headers) : null
    const answer =
      idempotencyKey === null
        ? await limited(() => deps.effects.newId())
        : await idempotent(deps, repeatableOf(req, res, account.accountId, idempotencyKey), limited)
    await deps.send(res, withWarnings(answer, warnings))
  }
}

function answerOpen(deps: CallDeps, endpoint: OpenEndpoint): ApiHandler {
  const { operation } = endpoint
  return async (req, res) => {
    const warnings: string[] = []
    const context: OpenContext = {
      log: res.locals.log,
      fields: res.locals.fields,
      newId: () => deps.effects.newId(),
      warnings,
      addressRules: deps.addressRules,
      clientAddress: req.ip ?? '',
      ignores: (names) => ignoredParameters(res, names),
    }
    await endpoint.admit(context)
    const answer = await endpoint.answer(requestOf(operation, req, res), context)
    await deps.send(res, withWarnings(answer, warnings))
  }
}

/** Names the route of a call without a key for metrics. */
function named({ path }: Operation): ApiHandler {
  return (_req, res, next) => {
    res.locals.route = path
    next()
  }
}

/** The request in the form of its schema. */
function requestOf({ schema }: Operation, req: ApiRequest, { locals: { body } }: ApiResponse) {
  const query = queryParameters(queryOf(req), schema)
  return body === undefined ? { path: req.params, query } : { path: req.params, query, body }
}

function repeatableOf(
  req: ApiRequest,
  { locals: { log, body } }: ApiResponse,
  accountId: string,
  key: string,
): IdempotentRequest {
  return { accountId, key, method: req.method, path: req.path.replace(/(?<=.)\/+$/, ''), body, log }
}
