import type { Effects } from '../../../common/runtime/effects.ts'
import type { Store } from '../../../common/store/store.ts'
import type { RandomBytes } from '../secrets.ts'

/** How people get accounts by themselves. */
export interface Registration {
  /** Of new accounts. */
  readonly plan: string
  /** Of each of the two calls, from one client address. */
  readonly requestsPerHour: number
  readonly randomBytes: RandomBytes
  /** There is a mail to send. */
  readonly wake: () => void
}

export interface RegistrationDeps {
  readonly store: Store
  readonly effects: Effects
  readonly registration: Registration
}

export const tokenSeconds = 86_400
