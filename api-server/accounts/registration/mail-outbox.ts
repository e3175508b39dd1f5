import { backoff } from '../../../common/runtime/backoff.ts'
import { createEachItem } from '../../../common/runtime/each-item.ts'
import { createLoop } from '../../../common/runtime/loop.ts'
import { newSecret, secretHash } from '../secrets.ts'
import { activationMail } from './activation-mail.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import type { Loop } from '../../../common/runtime/loop.ts'
import type { ActivationMail } from '../../../common/store/accounts.ts'
import type { Store } from '../../../common/store/store.ts'
import type { RandomBytes } from '../secrets.ts'
import type { SendMail } from './send-mail.ts'

interface Deps {
  readonly store: Store
  readonly effects: Effects
  readonly logger: Logger
  readonly sendMail: SendMail
  readonly publicUrl: string
  readonly randomBytes: RandomBytes
}

/** Longer than the timeout of one mail. */
const leaseSeconds = 300
/** Seconds. */
const retries = { first: 15, longest: 3_600, jitter: [1, 1] } as const
/** About a day of retries. */
const maxAttempts = 30
const keepSeconds = 7 * 86_400

/** Then the mail server is at fault: every further mail would cost a timeout and one of its attempts. */
const mostFailuresInARow = 3

/**
 * Sends the queued mails of registrations. Each attempt has its own token, since only hashes are
 * stored: a mail that arrived although its attempt seemed to fail has a valid token too. A crash
 * between sending and recording leads to a second mail, never to none. A failed mail is retried
 * later and delays no other.
 */
export function createMailOutbox(deps: Deps): Loop {
  const { store, effects, logger } = deps
  const eachMail = createEachItem({ name: 'mail outbox', clock: effects.clock, logger })
  return createLoop({
    name: 'mail outbox',
    everyMs: 10_000,
    effects,
    logger,
    async work(signal) {
      await effects.failpoint('accounts.registrations_forgotten', () =>
        store.forgetOldRegistrations(keepSeconds),
      )
      await eachMail.run(claimed(deps), {
        work: (mail) => deliver(deps, mail),
        postpone: ({ registrationId, attempts }) =>
          effects.failpoint('accounts.mail_postponed', () =>
            store.markMailFailed(registrationId, retrySeconds(attempts)),
          ),
        describe: ({ registrationId }) => ({ registration_id: registrationId }),
        giveUpAfter: mostFailuresInARow,
        signal,
      })
    },
  })
}

/** Claims one at a time, since the lease of each begins with its claim. */
async function* claimed({ store, effects }: Deps): AsyncGenerator<ActivationMail> {
  for (;;) {
    const [mail] = await effects.failpoint('accounts.mail_claimed', () =>
      store.claimActivationMails({ limit: 1, leaseSeconds }),
    )
    if (mail === undefined) return
    yield mail
  }
}

async function deliver(deps: Deps, registration: ActivationMail): Promise<void> {
  const { store, effects, logger, publicUrl } = deps
  const { registrationId, email, attempts, hasAccount } = registration
  const token = newSecret(deps.randomBytes)
  await effects.failpoint('accounts.token_added', () =>
    store.addActivationToken(registrationId, secretHash(token)),
  )
  const mail = activationMail({ email, token, publicUrl, hasAccount })
  const result = await effects.failpoint('accounts.mail_sent', () => deps.sendMail(mail))
  await effects.failpoint('accounts.mail_recorded', () =>
    result === 'sent'
      ? store.markMailSent(registrationId)
      : store.markMailFailed(registrationId, null),
  )
  logger.info('activation mail', { registration_id: registrationId, attempts, result })
}

/** null: no more retries. */
export function retrySeconds(attempts: number): number | null {
  if (attempts >= maxAttempts) return null
  return backoff(retries, attempts, 0)
}
