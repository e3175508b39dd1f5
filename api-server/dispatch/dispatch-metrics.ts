import type { Registry } from 'prom-client'
import { counter, gauge } from '../../common/runtime/metrics.ts'

export interface DispatchMetrics {
  counted(result: DispatchResult): void
  /** @param code HTTP status, or the kind of error without one */
  refused(code: RefusalCode): void
  breaker(isOpen: boolean): void
  oversized(): void
}

/**
 * `existing`: created by an earlier attempt; `refused`: ended as FAILED; `failed`: will be retried.
 */
export type DispatchResult = 'created' | 'existing' | 'refused' | 'failed' | 'claim_failed'

export type RefusalCode = `${number}` | 'no_answer' | 'name_taken' | 'too_large' | 'bug'

export function createDispatchMetrics(registry: Registry): DispatchMetrics {
  const commands = counter(
    registry,
    'dispatch_total',
    'Attempts to create the custom resource of a command.',
    ['result'],
  )
  const refused = counter(
    registry,
    'dispatch_refused_total',
    'Commands that ended as FAILED because the cluster refused their custom resource.',
    ['code'],
  )
  const breaker = gauge(
    registry,
    'dispatch_breaker_open',
    '1 while the cluster creates no custom resources at all and dispatch waits, else 0.',
  )
  breaker.set(0)
  const oversized = counter(
    registry,
    'dispatch_oversized_total',
    'Custom resources above the largest size, which their form excludes; so each is a bug.',
  )
  return {
    counted: (result) => commands.inc({ result }),
    refused: (code) => refused.inc({ code }),
    breaker: (isOpen) => breaker.set(isOpen ? 1 : 0),
    oversized: () => oversized.inc(),
  }
}
