import type { AccountUsage } from '../../common/openapi/openapi-types.ts'

/** The service names the account; one of an earlier version does not. */
type Named = Pick<AccountUsage, 'plan'> & { readonly account?: string }

/** First name of a profile, until its user gives it another one. */
export function accountName({ account, plan }: Named): string {
  return account ?? `plan ${plan}`
}

/** Account and plan below the name of a profile, without what that name says already. */
export function accountWords(usage: Named, profileName: string): string {
  return [usage.account, `plan ${usage.plan}`]
    .filter((words) => words !== undefined && words !== profileName)
    .join(' · ')
}
