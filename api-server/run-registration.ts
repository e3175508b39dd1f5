import { createMailOutbox } from './accounts/registration/mail-outbox.ts'
import { registrationSettings } from './accounts/registration/registration-settings.ts'
import { createSendMail } from './accounts/registration/send-mail.ts'
import { loopPart } from '../common/runtime/loop.ts'
import type { ApiServerSettings } from './settings.ts'
import type { Effects } from '../common/runtime/effects.ts'
import type { Part } from '../common/runtime/lifecycle.ts'
import type { Logger } from '../common/runtime/logger.ts'
import type { Store } from '../common/store/store.ts'
import type { RandomBytes } from './accounts/secrets.ts'
import type { Registration } from './accounts/registration/registration.ts'

interface Deps {
  readonly store: Store
  readonly effects: Effects
  readonly logger: Logger
  readonly randomBytes: RandomBytes
}

/** The registration of the settings: its calls, and the outbox that sends its mails. */
export function runRegistration(
  all: ApiServerSettings,
  deps: Deps,
): { registration: Registration | null; parts: Part[] } {
  const { settings } = registrationSettings(all)
  if (settings === null) return { registration: null, parts: [] }
  const { publicUrl, smtp } = settings
  const outbox = createMailOutbox({ ...deps, publicUrl, sendMail: createSendMail(smtp) })
  return {
    registration: {
      plan: all.accounts.plan,
      requestsPerHour: all.accounts.requestsPerHour,
      randomBytes: deps.randomBytes,
      wake: () => outbox.wake(),
    },
    parts: [loopPart('mails', (signal) => outbox.run(signal))],
  }
}
