import type { Environment } from '../../../common/settings/environment.ts'
import type { SmtpOptions } from './send-mail.ts'

interface RegistrationSettings {
  readonly publicUrl: string
  readonly smtp: SmtpOptions
}

/** The API server's settings that registration reads. */
interface Given {
  readonly accounts: { readonly registration: boolean; readonly publicUrl: string }
  readonly smtp: Omit<SmtpOptions, 'user' | 'password'>
  readonly environment: Environment
}

/** Settings of registration; null if it is disabled. `mistakes` is not empty if settings are missing. */
export function registrationSettings({ accounts, smtp, environment }: Given): {
  settings: RegistrationSettings | null
  mistakes: string[]
} {
  if (!accounts.registration) return { settings: null, mistakes: [] }
  const needed = {
    'accounts.publicUrl': accounts.publicUrl,
    'smtp.host': smtp.host,
    'smtp.from': smtp.from,
  }
  const mistakes = Object.entries(needed)
    .filter(([, value]) => value === '')
    .map(
      ([name]) =>
        `${name} must be set where accounts.registration is true, because accounts are activated by mail; it is empty`,
    )
  if (mistakes.length > 0) return { settings: null, mistakes }
  const user = environment.CLOUD_FFMPEG_SMTP_USER || undefined
  const password = environment.CLOUD_FFMPEG_SMTP_PASSWORD || undefined
  return {
    settings: { publicUrl: accounts.publicUrl, smtp: { ...smtp, user, password } },
    mistakes,
  }
}
