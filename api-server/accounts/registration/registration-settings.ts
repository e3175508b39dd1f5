import type { Plans } from '../../../common/domain/plans.ts'
import type { SmtpOptions } from './send-mail.ts'

interface RegistrationSettings {
  readonly publicUrl: string
  readonly smtp: SmtpOptions
}

/** The API server's settings that registration reads. */
interface RegistrationVariables {
  readonly CLOUD_FFMPEG_REGISTRATION: boolean
  readonly CLOUD_FFMPEG_PUBLIC_URL: string | undefined
  readonly CLOUD_FFMPEG_SMTP_HOST: string | undefined
  readonly CLOUD_FFMPEG_SMTP_FROM: string | undefined
  readonly CLOUD_FFMPEG_SMTP_PORT: number
  readonly CLOUD_FFMPEG_SMTP_TLS: SmtpOptions['tls']
  readonly CLOUD_FFMPEG_SMTP_USER: string | undefined
  readonly CLOUD_FFMPEG_SMTP_PASSWORD: string | undefined
  readonly CLOUD_FFMPEG_PLANS: Plans
  readonly CLOUD_FFMPEG_ACCOUNT_PLAN: string
}

/** Settings of registration; null if it is disabled. `mistakes` is not empty if settings are missing. */
export function registrationSettings(settings: RegistrationVariables): {
  settings: RegistrationSettings | null
  mistakes: string[]
} {
  if (!settings.CLOUD_FFMPEG_REGISTRATION) return { settings: null, mistakes: [] }
  const { CLOUD_FFMPEG_PUBLIC_URL: publicUrl } = settings
  const { CLOUD_FFMPEG_SMTP_HOST: host, CLOUD_FFMPEG_SMTP_FROM: from } = settings
  const mistakes = [
    ...(publicUrl === undefined ? [needed('CLOUD_FFMPEG_PUBLIC_URL')] : []),
    ...(host === undefined ? [needed('CLOUD_FFMPEG_SMTP_HOST')] : []),
    ...(from === undefined ? [needed('CLOUD_FFMPEG_SMTP_FROM')] : []),
    ...planMistakes(settings),
  ]
  if (publicUrl === undefined || host === undefined || from === undefined) {
    return { settings: null, mistakes }
  }
  const smtp = {
    host,
    from,
    port: settings.CLOUD_FFMPEG_SMTP_PORT,
    tls: settings.CLOUD_FFMPEG_SMTP_TLS,
    user: settings.CLOUD_FFMPEG_SMTP_USER,
    password: settings.CLOUD_FFMPEG_SMTP_PASSWORD,
  }
  return { settings: { publicUrl, smtp }, mistakes }
}

function needed(name: string): string {
  return `${name}: is not set; CLOUD_FFMPEG_REGISTRATION needs it, because accounts are activated by mail`
}

function planMistakes(settings: RegistrationVariables): string[] {
  const plans = Object.keys(settings.CLOUD_FFMPEG_PLANS)
  const plan = settings.CLOUD_FFMPEG_ACCOUNT_PLAN
  if (plans.includes(plan)) return []
  return [`CLOUD_FFMPEG_ACCOUNT_PLAN: '${plan}' is none of the plans: ${plans.join(', ')}`]
}
