import { planOf } from '../../common/domain/plans.ts'
import { refusal } from '../http/errors.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { Plan, Plans } from '../../common/domain/plans.ts'
import type { Account } from '../../common/store/accounts.ts'
import type { RateGroup } from '../../common/store/limits.ts'
import type { Answer } from '../http/errors.ts'
import type { RateLimits } from './rate-limits.ts'

interface Deps {
  readonly rates: RateLimits
  readonly plans: Plans
}

interface Limited {
  readonly group: RateGroup
  readonly account: Account
  readonly log: Logger
}

/**
 * Runs a request if its account's bucket has a token. Every read takes a token; a refused submission
 * returns its token, so that the client can correct it at once.
 * @throws Refusal 429
 */
export function rateLimited(
  deps: Deps,
  limited: Limited,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const { group, account } = limited
  const perMinute = figureOf(planOf(deps.plans, account), group)
  return perMinute === null ? run() : withToken(deps, limited, perMinute, run)
}

async function withToken(
  { rates }: Deps,
  { group, account, log }: Limited,
  perMinute: number,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const taken = await rates.take({ accountId: account.accountId, group, perMinute })
  if (!taken.granted) {
    const { retrySeconds } = taken
    throw refusal(
      429,
      `Rate limit exceeded: ${perMinute} ${group} a minute on plan '${account.plan}'; retry in ${retrySeconds} s`,
      { 'Retry-After': String(retrySeconds) },
    )
  }
  let accepted = false
  try {
    const answer = await run()
    accepted = answer.status < 300
    return answer
  } finally {
    // Best-effort: a token that is not returned refills with time.
    if (group === 'submissions' && !accepted) {
      await taken
        .giveBack()
        .catch((error: unknown) => log.warn('rate limit token not returned', { error }))
    }
  }
}

function figureOf(plan: Plan, group: RateGroup): number | null {
  switch (group) {
    case 'submissions':
      return plan.submissionsPerMinute
    case 'reads':
      return plan.readsPerMinute
    case 'webhook requests':
      return webhookRequestsPerMinute
  }
}

/** On every plan: each is a request from our address to a host of the account's choice, for up to 15 s. */
export const webhookRequestsPerMinute = 10
