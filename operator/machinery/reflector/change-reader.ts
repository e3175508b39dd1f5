import { isKubeError } from '../../../common/kubernetes/kube-error.ts'
import type { KubeObject } from '../../../common/kubernetes/resources/resource.ts'
import type { WatchEvent } from '../../../common/kubernetes/resources/watch-events.ts'
import { followStream } from './follow-stream.ts'
import type { StreamDeps } from './follow-stream.ts'
import type { CachedObject } from './object-cache.ts'
import type { Listed, ObjectCopy, ObjectCopyDeps } from './object-copy.ts'
import type { ReflectorMetrics } from './reflector-metrics.ts'
import { afterBookmark, afterEvent, afterList, isRewound, noPosition } from './watch-position.ts'
import type { WatchPosition } from './watch-position.ts'

/** Brings the changes of the API server into a copy. */
export interface ChangeReader {
  /**
   * A LIST where one is due, and one WATCH from the version that the copy has.
   * @throws KubeError, HistoryRewound
   */
  read(signal: AbortSignal): Promise<void>
  /** The API server does not know the version any more: the next reading begins with a LIST. */
  losePlace(): void
}

export interface ChangeReaderDeps<R extends KubeObject, T extends CachedObject>
  extends Omit<StreamDeps, 'resource'>, Pick<ObjectCopyDeps<R, T>, 'resource' | 'namespace'> {
  readonly labelSelector?: string
  readonly metrics: ReflectorMetrics
}

/**
 * @param on.contact the API server has answered
 * @param on.firstList the copy is complete
 */
export function createChangeReader<R extends KubeObject, T extends CachedObject>(
  deps: ChangeReaderDeps<R, T>,
  copy: ObjectCopy<T>,
  on: { readonly contact: () => void; readonly firstList: () => void },
): ChangeReader {
  const { resource, namespace, labelSelector, clock, random, metrics, logger } = deps
  const { kind } = resource
  const selection = labelSelector === undefined ? {} : { labelSelector }
  let position = noPosition
  let streams = 0

  return {
    async read(signal) {
      const { version, mustList, compareAtMs } = position
      if (mustList || version === null) await relist(signal)
      else if (clock.monotonicMs() >= compareAtMs) await compare(version, signal)
      if (position.version !== null) await follow(position.version, signal)
    },
    losePlace() {
      position = { ...position, mustList: true }
    },
  }

  async function relist(signal: AbortSignal): Promise<void> {
    const isFirst = position.version === null
    const { objects, resourceVersion } = await list({ signal })
    adopt(objects, resourceVersion, isRewound(position, resourceVersion))
    if (isFirst) on.firstList()
    else metrics.relisted(kind)
  }

  /**
   * Reads the state at exactly the version up to which the copy should be complete. Each difference
   * is a lost event or a bug.
   */
  async function compare(exactVersion: string, signal: AbortSignal): Promise<void> {
    try {
      const { objects } = await list({ signal, exactVersion })
      const count = adopt(objects, exactVersion, false)
      metrics.relisted(kind)
      if (count === 0) return
      metrics.repaired(kind, count)
      logger.warn('resync found changes missing in the cache', { count })
    } catch (error) {
      if (!isKubeError(error)) throw error
      await relist(signal)
    }
  }

  async function list(query: Parameters<typeof copy.listAll>[0]): Promise<Listed<T>> {
    const listed = await copy.listAll({ ...selection, ...query })
    on.contact()
    return listed
  }

  /** @returns number of changes */
  function adopt(objects: readonly T[], version: string, replacesNewer: boolean): number {
    position = afterList(version, clock.monotonicMs(), random())
    return copy.replace(objects, replacesNewer ? null : version)
  }

  async function follow(resourceVersion: string, signal: AbortSignal): Promise<void> {
    if (streams > 0) metrics.reconnected(kind)
    streams += 1
    const query = { namespace, ...selection, resourceVersion }
    const isHeard = await followStream(
      { resource, clock, random, logger },
      query,
      signal,
      (event) => {
        on.contact()
        position = accept(copy, position, event)
      },
    )
    if (!isHeard) position = { ...position, mustList: true }
  }
}

/** Takes an event into the copy. @returns the position after it @throws HistoryRewound */
function accept<T extends CachedObject>(
  copy: ObjectCopy<T>,
  position: WatchPosition,
  event: WatchEvent,
): WatchPosition {
  if (event.type === 'BOOKMARK') return afterBookmark(position, event.resourceVersion)
  const version = copy.take(event.type, event.object)
  return version === null ? position : afterEvent(position, version)
}
