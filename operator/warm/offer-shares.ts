import type { RunnerSettings } from '../resources/runner-settings.ts'

/**
 * How many standbys each account may take of those that wait, while other accounts have commands for them
 * in the same round of admission: at most half, rounded up.
 * @param wanted commands that a standby could run, by account
 * @returns without an entry for an account that nothing limits
 */
export function offerShares(
  waiting: number,
  wanted: ReadonlyMap<string, number>,
): Map<string, number> {
  const accounts = [...wanted].filter(([, commands]) => commands > 0)
  if (accounts.length < 2) return new Map()
  return new Map(accounts.map(([accountId]) => [accountId, Math.ceil(waiting / 2)]))
}

/** Commands of a round of admission that a standby could run, by account. */
export function wantedStandbys(
  chosen: readonly {
    readonly account: {
      readonly accountId: string
      readonly plan: string
      readonly waiting: readonly { readonly commandId: string; readonly vcpuCount: number }[]
    }
    readonly commandIds: readonly string[]
  }[],
  { warm }: Pick<RunnerSettings, 'warm'>,
): Map<string, number> {
  const wanted = new Map<string, number>()
  if (warm === null) return wanted
  for (const { account, commandIds } of chosen) {
    if (warm.coldPlans.includes(account.plan)) continue
    const fitting = account.waiting.filter(
      ({ commandId, vcpuCount }) => vcpuCount <= warm.vcpu && commandIds.includes(commandId),
    )
    wanted.set(account.accountId, (wanted.get(account.accountId) ?? 0) + fitting.length)
  }
  return wanted
}
