import { microTime } from '../../common/kubernetes/api-conventions.ts'

export interface EventFacts {
  readonly regarding: {
    readonly apiVersion: string
    readonly kind: string
    readonly namespace: string
    readonly name: string
    readonly uid: string
  }
  readonly type: 'Normal' | 'Warning'
  /** An identifier in UpperCamelCase, as in conditions. */
  readonly reason: string
  /** Action or decision of the reporter, in UpperCamelCase. */
  readonly action: string
  readonly note: string
}

export interface Reporter {
  /** E.g. `cloudffmpeg.dev/operator`. */
  readonly reportingController: string
  /** The pod. At most 128 characters. */
  readonly reportingInstance: string
}

export interface EventBody extends EventFacts, Reporter {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace: string }
  readonly eventTime: string
}

const maxNoteLength = 1024
const maxNameLength = 253

/** @param suffix makes the Event's name unique; the same one again is refused as taken */
export function eventBody(
  { regarding, type, reason, action, note }: EventFacts,
  { reportingController, reportingInstance }: Reporter,
  { now, suffix }: { readonly now: Date; readonly suffix: string },
): EventBody {
  // An object's name may be as long as an Event's, which has the suffix in it too.
  const prefix = regarding.name.slice(0, maxNameLength - 1 - suffix.length).replace(/[.-]+$/, '')
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${prefix}.${suffix}`, namespace: regarding.namespace },
    eventTime: microTime(now),
    reportingController,
    reportingInstance,
    type,
    reason,
    action,
    note: note.length > maxNoteLength ? `${note.slice(0, maxNoteLength - 1)}…` : note,
    regarding,
  }
}
