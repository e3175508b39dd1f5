import { readJsonBody } from '../http/json-body.ts'
import { idempotencyKeyIn } from '../limits/idempotency-key.ts'
import { rateLimited } from '../limits/rate-limited.ts'
import { repeatable } from '../limits/idempotent.ts'
import { queryParameters } from '../http/lenient.ts'
import { refusal } from '../http/errors.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { AddressRules } from '../../common/network/address-policy.ts'
import type { Plans } from '../../common/domain/plans.ts'
import type { Account, AuthenticatedKey } from '../../common/store/accounts.ts'
import type { Store } from '../../common/store/store.ts'
import type { Repeatable } from '../limits/idempotent.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import type { Authenticate } from './authenticate.ts'
import type { Context, Endpoint, OpenEndpoint } from '../http/endpoint.ts'
import type { Answer } from '../http/errors.ts'
import type { Exchange } from './exchange.ts'
import type { Handle, Parameters } from './routes.ts'

export interface ServeDeps {
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
}

/**
 * Answers one request. The order of checks is part of the API: path, method, key and whether it may
 * make changes, size, JSON, Idempotency-Key, rate, schema, then the checks of the endpoint itself.
 */
export function serveRequest(endpoint: Endpoint | OpenEndpoint, deps: ServeDeps): Handle {
  return endpoint.access === 'key'
    ? (exchange, path) => answerTo(endpoint, deps, exchange, path)
    : (exchange, path) => answerOpen(endpoint, deps, exchange, path)
}

async function answerTo(
  endpoint: Endpoint,
  deps: ServeDeps,
  exchange: Exchange,
  path: Parameters,
): Promise<Answer> {
  const { request, log, fields } = exchange
  const { rateGroup: group, method, secretAnswer } = endpoint.operation
  const key = await deps.authenticate(request.headers, exchange.clientAddress)
  requireWritable(key, endpoint)
  const { account } = key
  fields['account'] = account.name
  const body = await bodyFor(endpoint, exchange)
  const warnings: string[] = []
  const run = (newId: () => string) =>
    endpoint.answer(callFrom(endpoint, exchange, path, body), {
      ...{ key, log, fields, newId, warnings },
      isStillValid: () => deps.authenticate.isStillValid(request.headers),
      addressRules: deps.addressRules,
      ignores: ignoring(exchange),
    })
  const limited = (newId: () => string) =>
    group === null ? run(newId) : rateLimited(deps, { group, account, log }, () => run(newId))
  const idempotencyKey =
    method === 'post' && !secretAnswer ? idempotencyKeyIn(request.headers) : null
  const answer =
    idempotencyKey === null
      ? await limited(() => deps.effects.newId())
      : await repeatable(deps, repeatableFrom(exchange, account, idempotencyKey, body), limited)
  return withWarnings(answer, warnings)
}

/** @throws Refusal 403 for a change by a read-only key */
function requireWritable(
  { readOnly }: AuthenticatedKey,
  { operation: { method, operationId } }: Endpoint,
): void {
  if (!readOnly || method === 'get' || operationId === 'validateFfmpegCommand') return
  throw refusal(403, 'This key is read-only: it may read and validate; use another key for changes')
}

function repeatableFrom(
  { request, path, log }: Exchange,
  { accountId }: Account,
  key: string,
  body: unknown,
): Repeatable {
  const method = request.method ?? ''
  return { accountId, key, method, path: path.replace(/(?<=.)\/+$/, ''), body, log }
}

async function answerOpen(
  endpoint: OpenEndpoint,
  { effects, addressRules }: ServeDeps,
  exchange: Exchange,
  path: Parameters,
): Promise<Answer> {
  const { log, fields, clientAddress } = exchange
  const body = await bodyFor(endpoint, exchange)
  const newId = () => effects.newId()
  const warnings: string[] = []
  const ignores = ignoring(exchange)
  const who = { log, fields, newId, warnings, addressRules, clientAddress, ignores }
  await endpoint.admit(who)
  return withWarnings(
    await endpoint.answer(callFrom(endpoint, exchange, path, body), who),
    warnings,
  )
}

async function bodyFor(
  { operation: { maxBodyBytes } }: Endpoint | OpenEndpoint,
  { request }: Exchange,
): Promise<unknown> {
  return maxBodyBytes === null ? undefined : readJsonBody(request, maxBodyBytes)
}

function callFrom(
  { operation }: Endpoint | OpenEndpoint,
  { query }: Exchange,
  path: Parameters,
  body: unknown,
) {
  const parameters = query === '' ? {} : queryParameters(query, operation.schema)
  return body === undefined ? { path, query: parameters } : { path, query: parameters, body }
}

/** Proxies refuse answers whose headers exceed 4 or 8 KiB. */
const maxWarnings = 8

/** Names ignored parameters in a header of the answer, whichever it is. */
function ignoring({ headers }: Exchange): Context['ignores'] {
  return (names) => {
    if (names.length === 0) return
    const shown = names
      .slice(0, maxWarnings)
      .map((name) => name.replaceAll(/[^\x21-\x2b\x2d-\x7e]/g, '?'))
    headers.push('X-Ignored-Parameters', shown.join(', '))
  }
}

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
