import { AdminError } from './admin-command.ts'
import type { AdminDeps } from './admin-command.ts'

/** An account on an unknown plan would silently get the smallest. @throws AdminError */
export function knownPlan({ plans }: AdminDeps, plan: string): string {
  if (plans.includes(plan)) return plan
  throw new AdminError(`there is no plan '${plan}': the plans are ${plans.join(', ')}`)
}
