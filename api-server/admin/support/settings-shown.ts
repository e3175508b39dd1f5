import { redact } from '../../../common/runtime/redact.ts'

const prefix = 'CLOUD_FFMPEG_'
const secret = /(?:KEY|KEY_ID|PASSWORD|SECRET|TOKEN|USER|DATABASE_URL|DIRECT_URL)$/

/** The settings of the service; of a secret it says only that it is set. */
export function settingsShown(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const own = Object.entries(environment).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(
    own
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, value = '']) => [name, secret.test(name) ? '(set)' : redact(value)]),
  )
}
