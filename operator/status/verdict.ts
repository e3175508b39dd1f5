import type { ErrorStatus } from '../../common/domain/failures.ts'
import type { Result } from '../../common/gateway/messages.ts'
import type { LossReason } from './loss.ts'

/** Verdict on an attempt without a recorded outcome, from the facts of Job and pods. */
export type Verdict =
  | { readonly kind: 'none' }
  /** No outcome yet, but reconcile again. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The runner reported how it ended, but not through the gateway. */
  | {
      readonly kind: 'reported'
      readonly podUid: string
      readonly result: Result
      readonly evidence: Evidence
    }
  | {
      readonly kind: 'failed'
      readonly errorStatus: ErrorStatus
      readonly message: string
      readonly evidence: Evidence
    }
  | {
      readonly kind: 'lost'
      readonly reason: LossReason
      readonly podUid: string | null
      readonly evidence: Evidence
    }

/** Facts for the log; users get the sentence. */
export interface Evidence {
  readonly job?: string
  readonly pod?: string
  readonly node?: string | null
  readonly container?: string
  readonly code?: number
  readonly reason?: string
  readonly message?: string
}
