import { isJsonObject } from '../../../common/json/json-object.ts'
import type { JsonObject } from '../../../common/json/json-object.ts'
import { abortError, createByteStream } from './byte-stream.ts'
import { defaultResources } from './objects/default-resources.ts'
import { createClusterAccess } from './cluster-access.ts'
import type { ClusterAccess } from './cluster-access.ts'
import { createFaults } from './faults.ts'
import { runGarbageCollector } from './objects/garbage-collector.ts'
import { jsonText, mergePatch } from './objects/json.ts'
import { listObjects } from './list.ts'
import { createObjectStore } from './objects/object-store.ts'
import { Refusal, statusBody } from './objects/refusal.ts'
import { createRegistry } from './objects/registry.ts'
import { createRoutes } from './routes.ts'
import { resize } from './resize.ts'
import { scale } from './scale.ts'
import { selectorOf } from './objects/selectors.ts'
import { openWatch } from './watch.ts'
import { unreliably } from './unreliable-network.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type {
  KubeRequest,
  KubeResponse,
  KubeTransport,
} from '../../../common/kubernetes/transport.ts'
import type { ResourceDefinition } from './objects/fake-object.ts'
import type { FakeCall, FaultRules } from './faults.ts'
import type { DeleteRequest, Preconditions } from './objects/registry.ts'
import type { Route } from './routes.ts'
import type { FakeWatch } from './watch.ts'

/**
 * An API server in the process, on a given clock: it keeps any number of kinds with the semantics of
 * kube-apiserver, and does at request what real ones do at the worst moment. Deterministic: the same
 * calls at the same times get the same answers.
 */
export interface FakeKubeApiserver {
  readonly transport: KubeTransport
  readonly faults: FaultRules
  readonly cluster: ClusterAccess
  /** Each request that came in, watches and refused ones included. */
  readonly calls: readonly FakeCall[]
  version(): string
  /** Versions before the present one answer 410 from now on. */
  compact(): void
  /** While down every call is refused by the network and every watch is broken. */
  setDown(isDown: boolean): void
  closeWatches(kind?: string): void
  breakWatches(kind?: string): void
  silenceWatches(kind?: string): void
  openWatches(): number
}

export function createFakeKubeApiserver(deps: {
  clock: Clock
  random: () => number
  resources?: readonly ResourceDefinition[]
  /** One way; drawn twice per request and once per watch event. */
  latencyMs?: () => number
  /** Delay in ms between a change and the garbage collector's work. */
  collectorDelayMs?: () => number
}): FakeKubeApiserver {
  const { clock, random } = deps
  const definitions = deps.resources ?? defaultResources
  const latencyMs = deps.latencyMs ?? (() => 1)
  const store = createObjectStore()
  const registry = createRegistry({ store, clock })
  const faults = createFaults()
  const routeOf = createRoutes(definitions)
  const watches = new Set<FakeWatch>()
  const calls: FakeCall[] = []
  let watchIds = 0
  let isDown = false
  runGarbageCollector({
    store,
    registry,
    clock,
    definitions,
    delayMs: deps.collectorDelayMs ?? (() => 50),
  })

  return {
    transport,
    faults,
    calls,
    cluster: createClusterAccess({ store, registry }, definitions),
    version: () => store.version(),
    compact: () => store.compact(),
    setDown(down) {
      isDown = down
      if (down) breakWatches()
    },
    closeWatches: (kind) => watchesOf(kind).forEach((watch) => watch.close()),
    breakWatches,
    silenceWatches: (kind) => watchesOf(kind).forEach((watch) => watch.silence()),
    openWatches: () => watches.size,
  }

  async function transport(request: KubeRequest): Promise<KubeResponse> {
    const route = routeOf(request)
    const call = callOf(route, request)
    calls.push(call)
    const network = { clock, latencyMs, signal: request.signal, isDown: () => isDown }
    return unreliably(network, faults.forRequest(call), {
      handle: () => answer(route, request),
      refuse: (facts) => refusalResponse(new Refusal(facts), request.signal),
    })
  }

  function answer(route: Route | null, request: KubeRequest): KubeResponse {
    try {
      if (route === null) throw new Refusal({ status: 404, reason: 'NotFound' })
      return route.verb === 'watch'
        ? watchResponse(route, request)
        : jsonResponse(route.verb === 'create' ? 201 : 200, handle(route, request), request.signal)
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error, request.signal)
      throw error
    }
  }

  function handle(route: Route, request: KubeRequest): object {
    const { definition, verb, name, subresource } = route
    const namespace = route.namespace ?? ''
    switch (verb) {
      case 'list':
        return listObjects(store, definition, route.namespace, request.query ?? {})
      case 'create':
        return registry.create(
          definition,
          namespace,
          request.body,
          request.query?.['dryRun'] === 'All',
        )
      case 'get':
        return registry.get(definition, namespace, name)
      case 'delete':
        return registry.delete(definition, { namespace, name }, deleteRequestOf(request.body))
      case 'patch':
      case 'update': {
        if (subresource === 'resize') {
          requireType(request, 'application/strategic-merge-patch+json')
          return resize(registry, route, request.body)
        }
        if (verb === 'patch') requireType(request, 'application/merge-patch+json')
        if (subresource === 'scale') return scale(registry, route, request.body)
        const part = subresource ?? 'main'
        return registry.update(definition, { namespace, name, part }, (object) =>
          verb === 'patch' ? mergePatch(object, request.body) : request.body,
        )
      }
      case 'watch':
        throw new Error('a watch is not answered with JSON')
    }
  }

  function watchResponse(route: Route, request: KubeRequest): KubeResponse {
    const { query = {}, signal } = request
    const version = query['resourceVersion'] ?? ''
    if (version === '' || version === '0') {
      throw new Refusal({ status: 400, reason: 'BadRequest', message: 'watch without a version' })
    }
    try {
      return {
        status: 200,
        retryAfterSeconds: null,
        body: startWatch(route, query, version, signal),
      }
    } catch (error) {
      if (!(error instanceof Refusal) || random() < 0.5) throw error
      // Both forms occur: which one depends on whether the watch cache or etcd notices first.
      const stream = createByteStream(signal)
      stream.write(`${JSON.stringify({ type: 'ERROR', object: statusBody(error.facts) })}\n`)
      stream.end()
      return { status: 200, retryAfterSeconds: null, body: stream.body }
    }
  }

  function startWatch(
    route: Route,
    query: Readonly<Record<string, string>>,
    version: string,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array> {
    watchIds += 1
    const watch = openWatch(
      { store, clock, faults, latencyMs },
      {
        id: watchIds,
        definition: route.definition,
        namespace: route.namespace,
        selector: selectorOf(query),
        version,
        timeoutMs: Number(query['timeoutSeconds'] ?? 1800) * 1000,
        bookmarks: query['allowWatchBookmarks'] === 'true',
        signal,
        onEnd: () => watches.delete(watch),
      },
    )
    watches.add(watch)
    return watch.body
  }

  function watchesOf(kind: string | undefined): FakeWatch[] {
    return [...watches].filter((watch) => kind === undefined || watch.kind === kind)
  }

  function breakWatches(kind?: string): void {
    for (const watch of watchesOf(kind)) watch.break()
  }

  function callOf(route: Route | null, request: KubeRequest): FakeCall {
    return {
      verb: route?.verb ?? 'get',
      kind: route?.definition.kind ?? '',
      namespace: route?.namespace ?? null,
      name: route === null || route.name === '' ? null : route.name,
      subresource: route?.subresource ?? null,
      query: request.query ?? {},
      body: request.body,
      atMs: clock.monotonicMs(),
    }
  }
}

function requireType({ contentType }: KubeRequest, wanted: KubeRequest['contentType']): void {
  if (contentType === wanted) return
  const message = 'the body of the request was in an unknown format'
  throw new Refusal({ status: 415, reason: 'UnsupportedMediaType', message })
}

function deleteRequestOf(body: unknown): DeleteRequest {
  if (!isJsonObject(body)) return {}
  const { preconditions, propagationPolicy, gracePeriodSeconds } = body
  return {
    ...(isJsonObject(preconditions) ? { preconditions: preconditionsOf(preconditions) } : {}),
    ...(typeof propagationPolicy === 'string' ? { propagationPolicy } : {}),
    ...(typeof gracePeriodSeconds === 'number' ? { gracePeriodSeconds } : {}),
  }
}

function preconditionsOf({ uid, resourceVersion }: JsonObject): Preconditions {
  return {
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  }
}

function refusalResponse({ facts }: Refusal, signal: AbortSignal): KubeResponse {
  const response = jsonResponse(facts.status, statusBody(facts), signal)
  return { ...response, retryAfterSeconds: facts.retryAfterSeconds ?? null }
}

function jsonResponse(status: number, body: object, signal: AbortSignal): KubeResponse {
  return { status, retryAfterSeconds: null, body: whole(jsonText(body), signal) }
}

/** One that is there already, but is not read any more after its request was given up. */
async function* whole(text: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
  if (signal.aborted) throw abortError(signal)
}
