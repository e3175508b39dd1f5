import { createHash } from 'node:crypto'
import type { Effects } from '../../../common/runtime/effects.ts'
import { sleep } from '../../../common/runtime/effects.ts'
import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import type { KubeEvent } from '../../../common/kubernetes/resources/objects.ts'
import type { KubeObject, Resource } from '../../../common/kubernetes/resources/resource.ts'
import type { Logger } from '../../../common/runtime/logger.ts'
import { apiGroup, apiVersion } from '../../../common/domain/resource-names.ts'
import { effect } from '../../apply/apply-context.ts'
import { eventBody } from '../../machinery/event-body.ts'
import type { Reporter } from '../../machinery/event-body.ts'
import type { Term } from '../../machinery/election/leader.ts'
import { createUnanswered } from './unanswered.ts'
import type { ForeignObject } from './unanswered.ts'

export interface NoticeForeignDeps extends Reporter {
  readonly kinds: readonly Resource<KubeObject>[]
  readonly events: Pick<Resource<KubeEvent>, 'create'>
  /** Those that this release watches, never none. */
  readonly namespaces: readonly string[]
  /** Identifies this release among others: each of them may write its own Event. */
  readonly release: string
  readonly term: Pick<Term, 'mustHold'>
  readonly effects: Effects
  readonly logger: Logger
}

/** Another release takes an object within a second, or within seconds if it is stalled. */
const graceMs = 10_000
const perPass = 20
const perNamespace = 5
const remembered = 10_000

/**
 * One pass: objects that were applied in a namespace that no release watches get an Event that
 * says so, once each. Without it `kubectl apply` in the wrong namespace gets no reaction at all.
 * The number of requests of a pass has a limit; what exceeds it waits for the next pass.
 */
export function createNoticeForeign(
  deps: NoticeForeignDeps,
): (signal: AbortSignal) => Promise<void> {
  const unanswered = createUnanswered(deps)
  const notified = new Set<string>()
  return async (signal) => {
    const found = await unanswered.find(signal)
    const chosen = choose(found.filter(({ uid }) => !notified.has(uid)))
    if (chosen.length === 0) return
    await sleep(deps.effects.clock, graceMs, signal)
    const namespaces = new Set<string>()
    for (const object of chosen) {
      if (!(await unanswered.isStill(object, signal))) continue
      await notify(deps, object)
      namespaces.add(object.namespace)
      remember(notified, object.uid)
    }
    if (namespaces.size > 0) {
      const watched = deps.namespaces
      deps.logger.warn('objects are in namespaces that no release watches', {
        watched,
        namespaces: [...namespaces],
      })
    }
  }
}

/** A namespace with thousands of objects does not delay the others. */
function choose(objects: readonly ForeignObject[]): ForeignObject[] {
  const counts = new Map<string, number>()
  return objects
    .filter(({ namespace }) => {
      const count = (counts.get(namespace) ?? 0) + 1
      counts.set(namespace, count)
      return count <= perNamespace
    })
    .slice(0, perPass)
}

async function notify(deps: NoticeForeignDeps, object: ForeignObject): Promise<void> {
  const { namespace, uid } = object
  // The name is a function of the object, so that the next leader does not write a second Event.
  const suffix = createHash('sha256').update(`${deps.release} ${uid}`).digest('hex').slice(0, 16)
  const body = eventBody(factsOf(object, deps.namespaces), deps, {
    now: deps.effects.clock.wall(),
    suffix,
  })
  try {
    await effect(deps, 'operator.foreign_noticed', () => deps.events.create(namespace, body))
  } catch (error) {
    // The object's namespace is being deleted: that object needs no Event any more.
    if (!isKubeError(error, 'exists', 'absent', 'forbidden')) throw error
    deps.logger.debug('Event refused', { namespace, error })
  }
}

function factsOf({ kind, namespace, name, uid }: ForeignObject, watched: readonly string[]) {
  return {
    regarding: { apiVersion: `${apiGroup}/${apiVersion}`, kind: kind.kind, namespace, name, uid },
    type: 'Warning',
    reason: 'NotWatched',
    action: 'Ignore',
    note: `This release watches ${namesOf(watched)}, and no other release has answered this ${kind.kind}: apply it there, with kubectl apply -n ${watched[0]}`,
  } as const
}

/** The note of an Event has at most 1,024 bytes (events.k8s.io/v1), a name 63. */
const namesShown = 10

function namesOf(watched: readonly string[]): string {
  if (watched.length === 1) return `namespace '${watched.join('')}' alone`
  const shown = watched.slice(0, namesShown).map((name) => `'${name}'`)
  const more = watched.length - shown.length
  return `namespaces ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''} alone`
}

/** The oldest are evicted first: their Events are the oldest. */
function remember(notified: Set<string>, uid: string): void {
  notified.add(uid)
  for (const oldest of notified) {
    if (notified.size <= remembered) return
    notified.delete(oldest)
  }
}
