import type { RefusalFacts } from './objects/refusal.ts'

export type Subresource = 'status' | 'scale' | 'resize'

export interface FakeCall {
  readonly verb: 'create' | 'get' | 'list' | 'watch' | 'patch' | 'update' | 'delete'
  readonly kind: string
  readonly namespace: string | null
  readonly name: string | null
  readonly subresource: Subresource | null
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly atMs: number
}

/**
 * Fault of one request: an answer without the effect, the effect and another answer (504
 * after applying), the request or the reply lost to the network, no answer ever, a late request, a
 * late reply.
 */
export type RequestFault =
  | { readonly answer: RefusalFacts }
  | { readonly applyThen: RefusalFacts }
  | { readonly delayMs: number }
  | { readonly replyAfterMs: number }
  | 'lose-request'
  | 'lose-reply'
  | 'hang'

/**
 * Fault of one event of one watch. A delay holds back all later events of that stream
 * too; `swap-with-next` lets the next one overtake; `go-silent` is a connection that stays open and
 * never says anything again.
 */
export type WatchFault =
  | { readonly delayMs: number }
  | { readonly error: RefusalFacts }
  | 'drop'
  | 'duplicate'
  | 'swap-with-next'
  | 'go-silent'
  | 'close'

export interface WatchDelivery {
  readonly watchId: number
  readonly kind: string
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  /** Empty for a bookmark. */
  readonly name: string
}

export interface FaultRules {
  /** Consulted for each request that no rule of `next` has caught. */
  onRequest: ((call: FakeCall) => RequestFault | null) | null
  onWatchEvent: ((delivery: WatchDelivery) => WatchFault | null) | null
  /** The next `times` requests that match. */
  next(match: Partial<FakeCall>, fault: RequestFault, times?: number): void
  nextEvent(match: Partial<WatchDelivery>, fault: WatchFault, times?: number): void
}

export interface FaultSource extends FaultRules {
  forRequest(call: FakeCall): RequestFault | null
  forEvent(delivery: WatchDelivery): WatchFault | null
}

export function createFaults(): FaultSource {
  const requests: Rule<FakeCall, RequestFault>[] = []
  const events: Rule<WatchDelivery, WatchFault>[] = []
  const faults: FaultSource = {
    onRequest: null,
    onWatchEvent: null,
    next: (match, fault, times = 1) => void requests.push({ match, fault, left: times }),
    nextEvent: (match, fault, times = 1) => void events.push({ match, fault, left: times }),
    forRequest: (call) => consume(requests, call) ?? faults.onRequest?.(call) ?? null,
    forEvent: (delivery) => consume(events, delivery) ?? faults.onWatchEvent?.(delivery) ?? null,
  }
  return faults
}

interface Rule<Subject, Fault> {
  readonly match: Partial<Subject>
  readonly fault: Fault
  left: number
}

function consume<Subject extends object, Fault>(
  rules: Rule<Subject, Fault>[],
  subject: Subject,
): Fault | null {
  const rule = rules.find(({ match }) =>
    Object.entries(match).every(([field, value]) => Reflect.get(subject, field) === value),
  )
  if (rule === undefined) return null
  rule.left -= 1
  if (rule.left === 0) rules.splice(rules.indexOf(rule), 1)
  return rule.fault
}
