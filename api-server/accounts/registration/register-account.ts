import { openEndpoint } from '../../http/endpoint.ts'
import { accountNameFrom } from '../account-name.ts'
import { admitClient } from './registration.ts'
import type { OpenEndpoint } from '../../http/endpoint.ts'
import type { RegistrationDeps } from './registration.ts'

/** Limits unwanted mails to an address that its owner did not register. */
const mailsPerDay = 5

/**
 * Answers once a mail is queued, not once it is sent: a registration must succeed while the mail
 * server is unavailable, and the mail server's answer would reveal which addresses have an account.
 */
export function registerAccount(deps: RegistrationDeps): OpenEndpoint {
  const { store, effects, registration } = deps
  const admit = admitClient(deps, 'register')
  return openEndpoint('registerAccount', admit, async ({ body }, { newId }) => {
    const one = {
      registrationId: newId(),
      email: body.email.trim().toLowerCase(),
      name: accountNameFrom(body.name ?? ''),
    }
    await effects.failpoint('accounts.registered', () => store.addRegistration(one, mailsPerDay))
    registration.wake()
    return { status: 202, body: { status: 'PENDING_ACTIVATION' } }
  })
}
