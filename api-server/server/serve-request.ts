import { jsonBodyReader } from '../http/json-body.ts'
import { reply } from './reply.ts'
import { contextOf } from './request-context.ts'
import { idempotencyKeyIn } from '../limits/idempotency-key.ts'
import { rateLimited } from '../limits/rate-limited.ts'
import { repeatable } from '../limits/idempotent.ts'
import type { RequestContext } from './request-context.ts'
import type { Request, RequestHandler, Response } from 'express'
import type { Effects } from '../../common/runtime/effects.ts'
import type { AddressRules } from '../../common/network/address-policy.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Store } from '../../common/store/store.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { Authenticate } from './authenticate.ts'
import type { Endpoint, OpenEndpoint } from '../http/endpoint.ts'
import type { Answer } from '../http/errors.ts'
import type { StreamMetrics } from '../http/stream-metrics.ts'

export interface ServeDeps {
  readonly authenticate: Authenticate
  readonly rates: RateLimits
  readonly plans: Plans
  readonly store: Pick<
    Store,
    'claimIdempotencyKey' | 'completeIdempotencyKey' | 'releaseIdempotencyKey'
  >
  readonly effects: Effects
  readonly streamMetrics: StreamMetrics
  /** Which addresses URLs of customers may name. */
  readonly addressRules: AddressRules
}

/**
 * Handles one request. The order of checks is part of the API: path, method, key, size, JSON,
 * Idempotency-Key, rate, schema, then the checks of the endpoint itself.
 */
export function serveRequest(endpoint: Endpoint | OpenEndpoint, deps: ServeDeps): RequestHandler {
  const { path, method, maxBodyBytes } = endpoint.operation
  const readBody = maxBodyBytes === null ? null : jsonBodyReader(maxBodyBytes)
  const guard = { clock: deps.effects.clock, onSlow: () => deps.streamMetrics.ended('slow') }
  return async (request: Request, response: Response) => {
    const context = contextOf(request)
    context.route = path
    const read = async () => (readBody === null ? undefined : readBody(request, response))
    const answer =
      endpoint.access === 'key'
        ? await answerTo(endpoint, deps, { request, context, read })
        : await answerOpen(endpoint, deps, { request, context, read })
    if (method === 'get') await reply(response, answer, guard)
    else await deps.effects.failpoint('api.replied', () => reply(response, answer))
  }
}

interface IncomingRequest {
  readonly request: Request
  readonly context: RequestContext
  readonly read: () => Promise<unknown>
}

async function answerTo(
  endpoint: Endpoint,
  deps: ServeDeps,
  incoming: IncomingRequest,
): Promise<Answer> {
  const { request, context } = incoming
  const { log, fields } = context
  const { rateGroup: group, method } = endpoint.operation
  const key = await deps.authenticate(request.headers, request.ip ?? '')
  const { account } = key
  fields['account'] = account.name
  const body = await incoming.read()
  const warnings: string[] = []
  const run = (newId: () => string) =>
    endpoint.answer(callFrom(request, body), {
      ...{ key, log, fields, newId, warnings },
      isStillValid: () => deps.authenticate.isStillValid(request.headers),
      addressRules: deps.addressRules,
    })
  const answer = await repeatable(
    deps,
    {
      accountId: account.accountId,
      key: method === 'post' ? idempotencyKeyIn(request.headers) : null,
      method: request.method,
      path: request.path.replace(/(?<=.)\/+$/, ''),
      body,
      log,
    },
    (newId) =>
      group === null ? run(newId) : rateLimited(deps, { group, account, log }, () => run(newId)),
  )
  return withWarnings(answer, warnings)
}

async function answerOpen(
  endpoint: OpenEndpoint,
  { effects, addressRules }: ServeDeps,
  { request, context: { log, fields }, read }: IncomingRequest,
): Promise<Answer> {
  const body = await read()
  const newId = () => effects.newId()
  // `request.ip` is undefined once the client has disconnected; the answer is discarded then.
  const warnings: string[] = []
  const clientAddress = request.ip ?? ''
  const who = { log, fields, newId, warnings, addressRules, clientAddress }
  await endpoint.admit(who)
  return withWarnings(await endpoint.answer(callFrom(request, body), who), warnings)
}

function callFrom(request: Request, body: unknown) {
  const query = queryOf(request)
  return { path: request.params, query, ...(body === undefined ? {} : { body }) }
}

/** The last value of a repeated parameter counts. */
function queryOf(request: Request): Record<string, string> {
  const { searchParams } = new URL(request.url, 'http://localhost')
  return Object.fromEntries(searchParams)
}

/** Proxies refuse answers whose headers exceed 4 or 8 KiB. */
const maxWarnings = 8

/**
 * Adds one `Warning` field value for each text: code 299, no agent (RFC 7234, section 5.5). An answer repeated under
 * its Idempotency-Key carries them in its body alone.
 */
export function withWarnings(answer: Answer, texts: readonly string[]): Answer {
  if (texts.length === 0) return answer
  const rest = texts.length - maxWarnings
  const shown = [...texts.slice(0, maxWarnings), ...(rest > 0 ? [`and ${rest} more`] : [])]
  return { ...answer, headers: { ...answer.headers, Warning: shown.map(warning).join(', ') } }
}

/** A header holds no line break and, within quotes, no bare quote or backslash; other than ASCII is left to the body. */
function warning(text: string): string {
  const ascii = text.replaceAll('…', '...').replaceAll(/[^\x20-\x7e]/g, '?')
  return `299 - "${ascii.replaceAll(/["\\]/g, "'")}"`
}
