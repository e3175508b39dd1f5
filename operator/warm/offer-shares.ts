import type { RunnerSettings } from '../resources/runner-settings.ts'

/** Commands of an account that a warm runner could run and that a pass of admission has chosen. */
export interface WantedWarmRunners {
  readonly commands: number
  /** Further commands of the account wait for their turn. */
  readonly hasBacklog: boolean
}

/**
 * How many warm runners each account may take of those that wait. While others have commands for them in the
 * same pass, an equal part, rounded up. The last one is kept for an account without a backlog: a command
 * that has waited for its turn gains little by it, and one that finds the way free is as fast as it can be.
 * @returns without an entry for an account that nothing limits
 */
export function offerShares(
  waiting: number,
  wanted: ReadonlyMap<string, WantedWarmRunners>,
): Map<string, number> {
  const accounts = [...wanted].filter(([, { commands }]) => commands > 0)
  const most = Math.ceil(waiting / Math.max(1, accounts.length))
  return new Map(
    accounts.flatMap(([accountId, { hasBacklog }]): [string, number][] => {
      const share = hasBacklog ? Math.min(most, Math.max(0, waiting - 1)) : most
      return accounts.length < 2 && !hasBacklog ? [] : [[accountId, share]]
    }),
  )
}

/** Warm runners that a pass of admission has chosen, by account. */
export function wantedWarmRunners(
  chosen: readonly {
    readonly account: {
      readonly accountId: string
      readonly plan: string
      readonly waiting: readonly { readonly commandId: string; readonly vcpuCount: number }[]
    }
    readonly commandIds: readonly string[]
  }[],
  { warm }: Pick<RunnerSettings, 'warm'>,
): Map<string, WantedWarmRunners> {
  const wanted = new Map<string, WantedWarmRunners>()
  if (warm === null) return wanted
  for (const { account, commandIds } of chosen) {
    if (warm.coldPlans.includes(account.plan)) continue
    const fitting = account.waiting.filter(
      ({ commandId, vcpuCount }) => vcpuCount <= warm.vcpu && commandIds.includes(commandId),
    )
    wanted.set(account.accountId, {
      commands: fitting.length,
      hasBacklog: account.waiting.length > commandIds.length,
    })
  }
  return wanted
}
