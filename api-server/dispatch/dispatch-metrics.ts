import type { Registry } from 'prom-client'
import { counter } from '../../common/metrics.ts'

export interface DispatchMetrics {
  counted(result: DispatchResult): void
}

/**
 * `existing`: an earlier try had made it; `refused`: ended as FAILED; `failed`: will be tried again.
 */
type DispatchResult = 'created' | 'existing' | 'refused' | 'failed' | 'claim_failed'

export function createDispatchMetrics(registry: Registry): DispatchMetrics {
  const commands = counter(
    registry,
    'dispatch_total',
    'Tries to make the custom resource of a command.',
    ['result'],
  )
  return { counted: (result) => commands.inc({ result }) }
}
