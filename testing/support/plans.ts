import { planSchema } from '../../common/domain/plans.ts'
import type { Plan } from '../../common/domain/plans.ts'

const defaults = Object.fromEntries(
  Object.entries(planSchema.properties).flatMap(([name, limit]) =>
    'default' in limit ? [[name, limit.default]] : [],
  ),
) as unknown as Plan

/** A plan on which everything is allowed and little is limited, changed by what a test is about. */
export function planWith(changes: Partial<Plan> = {}): Plan {
  return {
    ...defaults,
    vcpuPerCommand: 4,
    vcpuTotal: 4,
    maxRunSeconds: 60,
    chained: true,
    uploads: true,
    private: true,
    webhooks: true,
    retention: { recordsDays: null, originalsDays: null, logsDays: null, filesDays: null },
    ...changes,
  }
}
