import { answerFor, refusal } from '../http/errors.ts'
import { fingerprint } from './fingerprint.ts'
import { invalidKey } from './idempotency-key.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { IdempotencyState } from '../../common/store/limits.ts'
import type { Store } from '../../common/store/store.ts'
import type { Answer } from '../http/errors.ts'
import type { FingerprintedRequest } from './fingerprint.ts'

interface Deps {
  readonly store: Pick<
    Store,
    'claimIdempotencyKey' | 'completeIdempotencyKey' | 'releaseIdempotencyKey'
  >
  readonly effects: Effects
}

export interface IdempotentRequest extends FingerprintedRequest {
  readonly accountId: string
  /** The Idempotency-Key. */
  readonly key: string
  readonly log: Logger
}

/**
 * Lease on an idempotency key, longer than any normal request. If it expires while the request is in
 * flight, the retry runs concurrently, and both create the same id.
 */
const leaseSeconds = 15

/**
 * Makes a request idempotent under its Idempotency-Key.
 *
 * The key is claimed in a row before any effect, and the row has the id of the record that the
 * request creates. If this process dies after the effect and before the answer is stored, the retry
 * takes the claim over once its lease has expired, inserts under the same id, which changes nothing,
 * and answers as the first request would have.
 * @throws Refusal 409 while the first request is in flight, 422 if the key was used with another one
 */
export async function idempotent(
  { store, effects }: Deps,
  request: IdempotentRequest,
  run: (newId: () => string) => Promise<Answer>,
): Promise<Answer> {
  const { accountId, key, log } = request
  const state = await effects.failpoint('limits.key_claimed', () =>
    store.claimIdempotencyKey({
      accountId,
      key,
      fingerprint: fingerprint(request),
      resourceId: effects.newId(),
      leaseSeconds,
    }),
  )
  if (state.kind !== 'claimed') return answerOf(state)
  const { resourceId, repeated } = state
  const kept = { accountId, key, resourceId }
  try {
    const answer = await run(() => resourceId)
    await settle(answer)
    return answer
  } catch (error) {
    await release(forgettable(error))
    throw error
  }

  async function settle(answer: Answer): Promise<void> {
    if (answer.status >= 300) return release(answer.status < 500)
    const { status, body } = answer
    await effects
      .failpoint('limits.answer_kept', () =>
        store.completeIdempotencyKey({ ...kept, status, body }),
      )
      // The effect is committed; a retry finds it by its id.
      .catch((error: unknown) => log.warn('answer not kept', { error }))
  }

  /** Keeps the id if an earlier attempt may have had its effect, independent of this attempt's outcome. */
  async function release(withoutEffect: boolean): Promise<void> {
    await effects
      .failpoint('limits.key_released', () =>
        store.releaseIdempotencyKey({ ...kept, forget: withoutEffect && !repeated }),
      )
      .catch((error: unknown) => log.warn('idempotency key not released', { error }))
  }
}

function answerOf(state: Exclude<IdempotencyState, { readonly kind: 'claimed' }>): Answer {
  switch (state.kind) {
    case 'answered':
      return {
        status: state.status,
        body: state.body ?? undefined,
        headers: { 'Idempotency-Replayed': 'true' },
      }
    case 'other-request':
      throw invalidKey(
        'This Idempotency-Key was used with another request; take a new one for each',
        'idempotency_key_reused',
      )
    case 'in-flight': {
      // Younger than 1 s: retry in 1 s. Older: its process probably crashed, so wait until the lease expires.
      const seconds = state.ageSeconds < 1 ? 1 : Math.max(1, Math.ceil(state.leftSeconds))
      const retry = { 'Retry-After': String(seconds) }
      const detail = 'A request with this Idempotency-Key is in progress'
      throw refusal(409, detail, retry, 'idempotency_in_progress')
    }
  }
}

/** A 4xx has no effect, so its key can be dropped; after a 5xx the effect is unknown, so the id must stay. */
function forgettable(error: unknown): boolean {
  return answerFor(error).answer.status < 500
}
