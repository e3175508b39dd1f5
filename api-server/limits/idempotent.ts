import { answerFor, refusal } from '../http/errors.ts'
import { fingerprint } from './fingerprint.ts'
import { invalidKey } from './idempotency-key.ts'
import type { Effects } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { IdempotencyState } from '../../common/store/limits.ts'
import type { Store } from '../../common/store/store.ts'
import type { Answer } from '../http/errors.ts'
import type { Asked } from './fingerprint.ts'

interface Deps {
  readonly store: Pick<
    Store,
    'claimIdempotencyKey' | 'completeIdempotencyKey' | 'releaseIdempotencyKey'
  >
  readonly effects: Effects
}

interface Repeatable extends Asked {
  readonly accountId: string
  /** The Idempotency-Key; `null`: the request may not be repeated. */
  readonly key: string | null
  readonly log: Logger
}

/**
 * A process that died holds its keys for so long. Longer than requests take; one that takes longer
 * still runs beside its repetition, and both make the same thing, because they share its id.
 */
const leaseSeconds = 15

/**
 * Runs a request once, however often it is sent under its Idempotency-Key.
 *
 * The key is claimed in a row before anything happens, and the row names the id of what the request
 * makes. If this process dies after the effect and before the answer was kept, the repetition takes
 * the claim over once its lease has run out, inserts under the same id, which changes nothing, and
 * answers what the first one would have answered.
 * @throws Refusal 409 while the first one is in flight, 422 where the key named another request
 */
export async function repeatable(
  { store, effects }: Deps,
  request: Repeatable,
  run: (newId: () => string) => Promise<Answer>,
): Promise<Answer> {
  const { accountId, key, log } = request
  if (key === null) return run(() => effects.newId())
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
      // What was asked for is done; a repetition will find it by its id.
      .catch((error: unknown) => log.warn('answer not kept', { error }))
  }

  /** An attempt before this one may have had its effect: then the id is kept whatever became of this one. */
  async function release(withoutEffect: boolean): Promise<void> {
    await store
      .releaseIdempotencyKey({ ...kept, forget: withoutEffect && !repeated })
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
      // A young one will have its answer in a moment; an old one probably died, and its lease must end.
      const seconds = state.ageSeconds < 1 ? 1 : Math.max(1, Math.ceil(state.leftSeconds))
      throw refusal(409, 'A request with this Idempotency-Key is in progress', {
        'Retry-After': String(seconds),
      })
    }
  }
}

/** Refused, so nothing was made. After trouble of ours nobody knows, so the id must stay. */
function forgettable(error: unknown): boolean {
  return answerFor(error).answer.status < 500
}
