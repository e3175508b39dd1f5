import { listIn, objectIn, objectOf, optionalTextIn, textIn } from '../read-json.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { isKubeError } from '../kube-error.ts'
import { readWatchEvents } from './watch-events.ts'
import type { KubeCall, KubeClient } from '../client.ts'
import type { RequestLane } from '../throttle/lane-order.ts'
import type { ObjectMeta } from './objects.ts'
import type { WatchEvent } from './watch-events.ts'

/** The calls of one kind. Objects come back as our own slim shape, the same from each call. */
export interface Resource<T extends KubeObject> {
  readonly kind: string
  /** @throws UnexpectedShape */
  parse(raw: unknown): T
  /** Not repeated by itself: see `createOrFind`. */
  create(namespace: string, body: object, options?: CallOptions): Promise<T>
  /**
   * Everything that a create does but its write: authorization, admission, validation, quota. It does
   * not show that etcd takes writes.
   */
  dryRunCreate(namespace: string, body: object, options?: CallOptions): Promise<void>
  /** Read from the API server itself; null if it does not exist. */
  get(namespace: string, name: string, options?: CallOptions): Promise<T | null>
  listPage(query: ListQuery): Promise<ListPage>
  /** The stream ends with the signal, cleanly or by an error; each of its failures is a KubeError. */
  watch(query: WatchQuery): Promise<AsyncIterable<WatchEvent>>
  /** `null` removes a field, lists are replaced whole (RFC 7396). A lost race is a `conflict`. */
  mergePatch(target: PatchTarget, patch: object, options?: CallOptions): Promise<T>
  mergePatchStatus(
    target: PatchTarget & { readonly resourceVersion: string },
    status: object,
    options?: CallOptions,
  ): Promise<T>
  /**
   * Merges lists by their keys, as containers by their names: a merge patch would replace the list. Kinds
   * of custom resources do not have it.
   */
  strategicPatch(
    target: PatchTarget & { readonly subresource: string },
    patch: object,
    options?: CallOptions,
  ): Promise<T>
  /**
   * Another object that took the name meanwhile is left alone and counts as `absent`, as one that is not at
   * the given version any more.
   */
  delete(
    target: {
      readonly namespace: string
      readonly name: string
      readonly uid: string
      readonly resourceVersion?: string
    },
    options?: DeleteOptions,
  ): Promise<'deleted' | 'absent'>
}

export interface KubeObject {
  readonly metadata: ObjectMeta
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly deadlineMs?: number
  /** Idempotent requests are retried by default after throttled and transient failures. */
  readonly retry?: boolean
  /** Whose turn it takes among the requests of this process; by default the client's. */
  readonly lane?: RequestLane
  /** A turn was taken already. */
  readonly hasTurn?: boolean
}

export interface DeleteOptions extends CallOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
}

export interface ListQuery {
  /** null = all namespaces. */
  readonly namespace: string | null
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Items hold `metadata` and nothing else; the server sends no more than that. */
  readonly metadataOnly?: boolean
  readonly limit?: number
  readonly continueToken?: string
  /** The state at exactly this version; without it, the newest. */
  readonly exactVersion?: string
  readonly signal?: AbortSignal
  readonly lane?: RequestLane
}

export interface ListPage {
  readonly items: readonly unknown[]
  readonly resourceVersion: string
  readonly continueToken: string | null
}

export interface WatchQuery {
  readonly namespace: string
  readonly labelSelector?: string
  /** Required: with bookmarks, a watch without one is a streaming list, which older etcd refuses. */
  readonly resourceVersion: string
  readonly timeoutSeconds: number
  readonly signal: AbortSignal
}

/** Given `uid` and `resourceVersion` are preconditions: a mismatch is a `conflict`. */
export interface PatchTarget {
  readonly namespace: string
  readonly name: string
  readonly uid?: string
  readonly resourceVersion?: string
}

export interface ResourceKind<T extends KubeObject> {
  readonly kind: string
  readonly plural: string
  /** `/api/v1` or `/apis/<group>/<version>`. */
  readonly apiPath: string
  readonly parse: (raw: unknown) => T
}

const listDeadlineMs = 30_000
const strategicMerge = 'application/strategic-merge-patch+json'
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

export function createResource<T extends KubeObject>(
  client: KubeClient,
  described: ResourceKind<T>,
): Resource<T> {
  const { kind, parse } = described
  const { base, collection, creation, item } = partsOfCalls(described)
  return {
    kind,
    parse,
    async create(namespace, body, options) {
      return parse(await client.call({ ...base(options), ...creation(namespace, body) }))
    },
    async dryRunCreate(namespace, body, options) {
      const call = { ...base(options), ...creation(namespace, body), query: { dryRun: 'All' } }
      // The answer has no resourceVersion, so `parse` would reject it.
      await client.call(call)
    },
    async get(namespace, name, options) {
      const call = { verb: 'get', method: 'GET', path: item(namespace, name) } as const
      return absentAsNull(async () => parse(await client.call({ ...base(options), ...call })))
    },
    async listPage(query) {
      const answer = await client.call({
        ...base({ deadlineMs: listDeadlineMs, ...query }),
        verb: 'list',
        method: 'GET',
        path: collection(query.namespace),
        query: listParameters(query),
        ...(query.metadataOnly === true ? { accept: metadataList } : {}),
      })
      return parsePage(answer)
    },
    async watch(query) {
      const body = await client.open({
        ...base(),
        verb: 'watch',
        method: 'GET',
        path: collection(query.namespace),
        query: watchParameters(query),
        signal: query.signal,
        retry: false,
      })
      return readWatchEvents(`watch ${kind}`, body)
    },
    mergePatch: (target, patch, options) => patchAt('', target, patch, options),
    mergePatchStatus: (target, status, options) => patchAt('/status', target, { status }, options),
    strategicPatch: ({ subresource, ...target }, patch, options) =>
      patchAt(`/${subresource}`, target, patch, options, strategicMerge),
    async delete(target, options) {
      const path = item(target.namespace, target.name)
      const body = deleteOptions(target, options)
      try {
        await client.call({ ...base(options), verb: 'delete', method: 'DELETE', path, body })
        return 'deleted'
      } catch (error) {
        if (isKubeError(error, 'absent', 'conflict')) return 'absent'
        throw error
      }
    },
  }

  async function patchAt(
    subresource: string,
    target: PatchTarget,
    patch: object,
    options?: CallOptions,
    contentType: KubeCall['contentType'] = 'application/merge-patch+json',
  ): Promise<T> {
    const raw = await client.call({
      ...base(options),
      verb: 'patch',
      method: 'PATCH',
      path: item(target.namespace, target.name) + subresource,
      body: withPreconditions(patch, target),
      ...(contentType === undefined ? {} : { contentType }),
    })
    return parse(raw)
  }
}

/** Paths and options that all calls of a kind have in common. */
function partsOfCalls({ kind, plural, apiPath }: Omit<ResourceKind<KubeObject>, 'parse'>) {
  const collection = (namespace: string | null): string =>
    namespace === null
      ? `${apiPath}/${plural}`
      : `${apiPath}/namespaces/${encodeURIComponent(namespace)}/${plural}`
  return {
    collection,
    creation: (namespace: string, body: object) =>
      ({
        verb: 'create',
        method: 'POST',
        path: collection(namespace),
        body,
        retry: false,
      }) as const,
    item: (namespace: string, name: string) =>
      `${collection(namespace)}/${encodeURIComponent(name)}`,
    base: (options: CallOptions = {}): Pick<KubeCall, 'kind' | 'retry'> & CallOptions => {
      const { signal, deadlineMs, retry = true, lane, hasTurn } = options
      return {
        kind,
        retry,
        ...(lane === undefined ? {} : { lane }),
        ...(hasTurn === undefined ? {} : { hasTurn }),
        ...(signal === undefined ? {} : { signal }),
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
      }
    },
  }
}

async function absentAsNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isKubeError(error, 'absent')) return null
    throw error
  }
}

function deleteOptions(
  { uid, resourceVersion }: Parameters<Resource<KubeObject>['delete']>[0],
  { propagationPolicy = 'Background', gracePeriodSeconds }: DeleteOptions = {},
): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
    propagationPolicy,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
  }
}

function listParameters(query: ListQuery): Record<string, string> {
  const { labelSelector, fieldSelector, limit, continueToken, exactVersion } = query
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(limit === undefined ? {} : { limit: String(limit) }),
    ...(continueToken === undefined ? {} : { continue: continueToken }),
    // The token of a later page holds the version already; giving both is refused.
    ...(exactVersion === undefined || continueToken !== undefined
      ? {}
      : { resourceVersion: exactVersion, resourceVersionMatch: 'Exact' }),
  }
}

function watchParameters(query: WatchQuery): Record<string, string> {
  return {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: query.resourceVersion,
    timeoutSeconds: String(query.timeoutSeconds),
    ...(query.labelSelector === undefined ? {} : { labelSelector: query.labelSelector }),
  }
}

function parsePage(raw: unknown): ListPage {
  const page = objectOf(raw, 'list')
  const metadata = objectIn(page, 'metadata')
  const token = optionalTextIn(metadata, 'continue')
  return {
    items: listIn(page, 'items'),
    resourceVersion: textIn(metadata, 'resourceVersion'),
    continueToken: token === '' ? null : token,
  }
}

/** The API server takes identity and version in the body of a patch as preconditions. */
function withPreconditions(patch: object, { uid, resourceVersion }: PatchTarget): object {
  if (uid === undefined && resourceVersion === undefined) return patch
  const given: unknown = 'metadata' in patch ? patch.metadata : {}
  return {
    ...patch,
    metadata: {
      ...(isJsonObject(given) ? given : {}),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
  }
}
