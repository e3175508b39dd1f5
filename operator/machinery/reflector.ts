import { sleep } from '../../common/runtime/effects.ts'
import { isJsonObject } from '../../common/json/json-object.ts'
import { isKubeError } from '../../common/kubernetes/kube-error.ts'
import { compareVersions } from '../../common/kubernetes/api-conventions.ts'
import { backoff, fullJitter } from '../../common/runtime/backoff.ts'
import { listAll } from './list-all.ts'
import { createObjectCache } from './object-cache.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { Logger } from '../../common/runtime/logger.ts'
import type { KubeObject, Resource } from '../../common/kubernetes/resources/resource.ts'
import type { WatchEvent } from '../../common/kubernetes/resources/watch-events.ts'
import type { CachedObject, Change, Indexes } from './object-cache.ts'
import type { ReflectorMetrics } from './reflector-metrics.ts'

/**
 * Keeps a copy of the objects of one kind in one namespace: a LIST, then WATCH after WATCH from the
 * version at which the last one ended. The API server ends each after 40 to 50 s and sends a
 * bookmark just before, so the version stays fresh; 5 s later the client closes a stream that is
 * still open. A stream without any event is followed by a LIST: silence proves nothing.
 */
export interface Reflector<T extends CachedObject> {
  /** Ends after the signal has aborted; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Resolves after the first complete LIST. */
  readonly synced: Promise<void>
  isSynced(): boolean
  get(name: string): T | null
  list(): T[]
  byIndex(index: string, key: string): T[]
  /**
   * Reads one object from the API server itself and corrects the copy by it. A miss in the copy is
   * never proof of absence: this is.
   * @throws KubeError
   */
  refresh(name: string, signal?: AbortSignal): Promise<T | null>
  msSinceContact(): number
}

export interface ReflectorDeps<R extends KubeObject, T extends CachedObject> {
  readonly resource: Resource<R>
  readonly namespace: string
  readonly labelSelector?: string
  /**
   * Projects an object to the few fields that decide. An object for which it throws is logged and
   * left out.
   */
  readonly project: (object: R) => T
  readonly indexes?: Indexes<T>
  /**
   * Must only enqueue a key: it runs inside the stream, and an error that it throws is logged and
   * dropped.
   */
  readonly onChange: (change: Change<T>) => void
  readonly clock: Clock
  readonly random: () => number
  readonly metrics: ReflectorMetrics
  readonly logger: Logger
}

const minStreamSeconds = 40
const streamSpreadSeconds = 10
const cutAfterMs = 5_000
const shortestHealthyMs = 1_000
const relistJitterMs = 1_000
const minRelistMs = 10 * 60_000
const relistSpreadMs = 5 * 60_000
/**
 * At most 2 s: after a stall of the API server the first effect waits for this. Four kinds send two
 * requests a second together.
 */
const floorMs = 500
const retry = { first: 500, longest: 1_500, jitter: fullJitter }

export function createReflector<R extends KubeObject, T extends CachedObject>(
  deps: ReflectorDeps<R, T>,
): Reflector<T> {
  const { resource, namespace, clock, random, metrics } = deps
  const { kind } = resource
  const logger = deps.logger.child({ kind })
  const selection = {
    namespace,
    ...(deps.labelSelector === undefined ? {} : { labelSelector: deps.labelSelector }),
  }
  const cache = createObjectCache<T>(deps.indexes ?? {})
  /** Names of objects that the cache leaves out; '' stands for those without a name. */
  let unreadable = new Set<string>()
  const sync = Promise.withResolvers<undefined>()
  let isSynced = false
  let version: string | null = null
  let mustList = true
  let compareAtMs = 0
  let contactMs = clock.monotonicMs()
  let streams = 0
  metrics.watch(kind, () => ({
    objects: cache.size(),
    secondsSinceContact: msSinceContact() / 1000,
    unreadable: unreadable.size,
  }))

  return {
    run,
    synced: sync.promise,
    isSynced: () => isSynced,
    get: (name) => cache.get(name),
    list: () => cache.list(),
    byIndex: (index, key) => cache.byIndex(index, key),
    refresh,
    msSinceContact,
  }

  async function run(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      const startMs = clock.monotonicMs()
      try {
        if (mustList || version === null) await relist(signal)
        else if (startMs >= compareAtMs) await compare(version, signal)
        if (version !== null) await follow(version, signal)
        failures = clock.monotonicMs() - startMs < shortestHealthyMs ? failures + 1 : 0
        if (failures > 0) await pause(retryMs(failures), signal)
      } catch (error) {
        if (signal.aborted) return
        failures = clock.monotonicMs() - startMs < shortestHealthyMs ? failures + 1 : 1
        const isHistoryLost = isKubeError(error, 'gone') || error instanceof HistoryRewound
        if (isHistoryLost) mustList = true
        logger.warn(isHistoryLost ? 'watch lost its place' : 'list or watch failed', { error })
        const isFirst = isHistoryLost && failures === 1
        await pause(isFirst ? random() * relistJitterMs : retryMs(failures), signal)
      }
    }
  }

  /** A server that ends streams or refuses them at once must not get requests in a tight loop. */
  function retryMs(failures: number): number {
    return floorMs + backoff(retry, failures, random())
  }

  async function relist(signal: AbortSignal): Promise<void> {
    const { objects, resourceVersion } = await list(signal)
    // A version below ours means that the server's history was set back, e.g. by restoring etcd.
    const isRewound = version !== null && compareVersions(resourceVersion, version) < 0
    adopt(resourceVersion, cache.replace(objects, isRewound ? null : resourceVersion))
    if (isSynced) metrics.relisted(kind)
    isSynced = true
    sync.resolve(undefined)
  }

  /**
   * Reads the state at exactly the version up to which the copy should be complete. Each difference
   * is a lost event or a bug.
   */
  async function compare(atVersion: string, signal: AbortSignal): Promise<void> {
    try {
      const { objects } = await list(signal, atVersion)
      const changes = cache.replace(objects, atVersion)
      adopt(atVersion, changes)
      metrics.relisted(kind)
      if (changes.length === 0) return
      metrics.repaired(kind, changes.length)
      logger.warn('resync found changes missing in the cache', { count: changes.length })
    } catch (error) {
      if (!isKubeError(error)) throw error
      await relist(signal)
    }
  }

  async function list(
    signal: AbortSignal,
    exactVersion?: string,
  ): Promise<{ objects: T[]; resourceVersion: string }> {
    const query = { ...selection, signal, ...(exactVersion === undefined ? {} : { exactVersion }) }
    const before = unreadable
    unreadable = new Set()
    try {
      const { objects, resourceVersion } = await listAll(resource, query, read)
      touch()
      return { objects, resourceVersion }
    } catch (error) {
      unreadable = before
      throw error
    }
  }

  function adopt(listVersion: string, changes: readonly Change<T>[]): void {
    version = listVersion
    mustList = false
    compareAtMs = clock.monotonicMs() + minRelistMs + random() * relistSpreadMs
    for (const change of changes) notify(change)
  }

  async function follow(fromVersion: string, signal: AbortSignal): Promise<void> {
    const timeoutSeconds = minStreamSeconds + Math.floor(random() * (streamSpreadSeconds + 1))
    const cut = new AbortController()
    const onAbort = (): void => cut.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const cancelCut = clock.schedule(timeoutSeconds * 1000 + cutAfterMs, () => cut.abort())
    if (streams > 0) metrics.reconnected(kind)
    streams += 1
    let isHeard = false
    try {
      const query = { ...selection, resourceVersion: fromVersion, timeoutSeconds }
      for await (const event of await resource.watch({ ...query, signal: cut.signal })) {
        isHeard = true
        touch()
        accept(event)
      }
    } catch (error) {
      if (!cut.signal.aborted || signal.aborted) throw error
      logger.info('closed a watch that exceeded its timeout')
    } finally {
      cancelCut()
      signal.removeEventListener('abort', onAbort)
    }
    if (!isHeard) mustList = true
  }

  function accept(event: WatchEvent): void {
    if (event.type === 'BOOKMARK') {
      if (version !== null && compareVersions(event.resourceVersion, version) < 0) {
        throw new HistoryRewound()
      }
      version = event.resourceVersion
      return
    }
    const object = read(event.object)
    if (object === null) {
      if (event.type === 'DELETED') unreadable.delete(nameOf(event.object))
      return
    }
    unreadable.delete(object.metadata.name)
    const { resourceVersion } = object.metadata
    const change = event.type === 'DELETED' ? cache.remove(object) : cache.put(object)
    if (version === null || compareVersions(resourceVersion, version) > 0) version = resourceVersion
    if (change !== null) notify(change)
  }

  async function refresh(name: string, signal?: AbortSignal): Promise<T | null> {
    const before = cache.get(name)
    const options = { lane: 'end', ...(signal === undefined ? {} : { signal }) } as const
    const found = await resource.get(namespace, name, options)
    touch()
    if (found !== null) {
      const change = cache.put(deps.project(found))
      if (change !== null) notify(change)
      return cache.get(name)
    }
    // If the stream has brought a newer version meanwhile, the cache keeps it.
    const change = before === null ? null : cache.remove(before)
    if (change !== null) notify(change)
    return cache.get(name)
  }

  function read(raw: unknown): T | null {
    try {
      return deps.project(resource.parse(raw))
    } catch (error) {
      const name = nameOf(raw)
      unreadable.add(name)
      logger.error('cannot read an object', { name, error })
      return null
    }
  }

  function notify(change: Change<T>): void {
    try {
      deps.onChange(change)
    } catch (error) {
      logger.error('change listener failed', { name: change.object.metadata.name, error })
    }
  }

  async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await sleep(clock, delayMs, signal).catch(() => undefined)
  }

  function touch(): void {
    contactMs = clock.monotonicMs()
  }

  function msSinceContact(): number {
    return clock.monotonicMs() - contactMs
  }
}

function nameOf(raw: unknown): string {
  const metadata = isJsonObject(raw) ? raw['metadata'] : undefined
  const name = isJsonObject(metadata) ? metadata['name'] : undefined
  return typeof name === 'string' ? name : ''
}

/** The API server is at an older version than it reported before. */
class HistoryRewound extends Error {
  constructor() {
    super('the version of the API server went back')
    this.name = 'HistoryRewound'
  }
}
