import { redact } from '../../../common/runtime/redact.ts'

const prefix = 'CLOUD_FFMPEG_'
const secret = /(?:KEY|KEY_ID|PASSWORD|SECRET|TOKEN|USER|DATABASE_URL|DIRECT_URL)$/

/** The settings of the service and its environment; of a secret it says only that it is set. */
export function settingsShown(
  settings: object,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const own = Object.entries(environment).filter(([name]) => name.startsWith(prefix))
  const variables = own
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, value = '']): [string, string] => [
      name,
      secret.test(name) ? '(set)' : redact(value),
    ])
  return { ...(redacted(settings) as object), ...Object.fromEntries(variables) }
}

/** The file has no secret, but a URL in it may have a password. */
function redacted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? redact(each) : each,
  ) as unknown
}
