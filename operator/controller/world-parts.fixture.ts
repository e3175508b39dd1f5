import type { AppliedAccounts } from '../import/applied-accounts.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'

export const namespace = 'media'
/** Another one that is watched. */
export const guest = 'team'
export const account = {
  accountId: '0197a0c2-0000-7000-8000-000000000001',
  name: 'acme',
  plan: 'small',
}

export interface WorldOptions {
  liveJobs?: number
  latencyMs?: () => number
  startingPods?: number | null
  runner?: Partial<RunnerSettings>
  accounts?: Partial<AppliedAccounts>
}

export interface FakePod {
  readonly name: string
  readonly uid: string
  end(status: object): void
  complete(): void
}

export function terminated(name: string, exitCode: number, reason = 'Error'): object {
  return { name, restartCount: 0, ready: false, state: { terminated: { exitCode, reason } } }
}
