import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

type Pause = NonNullable<AccountUsage['pauses']>[number]

const paused: Readonly<Record<Pause['what'], string>> = {
  submissions: 'New commands and files',
  dispatch: 'The start of commands',
  admission: 'The start of commands',
  account: 'The start of commands of this account',
  webhooks: 'The delivery of webhooks',
}

/** What an administrator has paused, with the reason that was given. */
export function pauseWords({ what, why }: Pause): string {
  const verb = what === 'submissions' ? 'are' : 'is'
  const reason = why.trim().replace(/\.$/, '')
  return `${paused[what]} ${verb} paused by an administrator${reason === '' ? '' : `: ${reason}`}.`
}
