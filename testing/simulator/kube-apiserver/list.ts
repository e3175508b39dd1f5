import { keyOf } from './objects/fake-object.ts'
import { Refusal } from './objects/refusal.ts'
import { selectorOf } from './objects/selectors.ts'
import type { FakeObject, ResourceDefinition } from './objects/fake-object.ts'
import type { ObjectStore } from './objects/object-store.ts'

/**
 * A LIST as `limit`, `continue`, `resourceVersion` with `resourceVersionMatch=Exact` and selectors
 * ask for it. All pages show the version of the first.
 * @param namespace null = all
 * @throws Refusal 410 where that version is compacted
 */
export function listObjects(
  store: ObjectStore,
  definition: ResourceDefinition,
  namespace: string | null,
  query: Readonly<Record<string, string>>,
): object {
  const { version, after } = startOf(store, query)
  const matches = selectorOf(query)
  const isWanted = (object: FakeObject): boolean =>
    (namespace === null || object.metadata.namespace === namespace) &&
    sortKey(object) > after &&
    matches(object)
  const rest = store.listAt(definition.kind, version).filter(isWanted)
  const limit = Number(query['limit'] ?? 0) || rest.length
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  const hasMore = rest.length > items.length && last !== undefined
  return {
    apiVersion: definition.apiVersion,
    kind: `${definition.kind}List`,
    metadata: {
      resourceVersion: version,
      ...(hasMore ? { continue: tokenFor({ version, after: sortKey(last) }) } : {}),
      ...(hasMore ? { remainingItemCount: rest.length - items.length } : {}),
    },
    items,
  }
}

interface PageStart {
  readonly version: string
  readonly after: string
}

function startOf(store: ObjectStore, query: Readonly<Record<string, string>>): PageStart {
  const token = query['continue']
  if (token !== undefined) return readToken(token)
  const version = query['resourceVersion']
  if (version === undefined || query['resourceVersionMatch'] !== 'Exact') {
    return { version: store.version(), after: '' }
  }
  if (BigInt(version) > BigInt(store.version())) {
    const message = `Too large resource version: ${version}, current: ${store.version()}`
    throw new Refusal({ status: 504, reason: 'Timeout', message, retryAfterSeconds: 1 })
  }
  return { version, after: '' }
}

function tokenFor(start: PageStart): string {
  return Buffer.from(JSON.stringify(start)).toString('base64url')
}

function readToken(token: string): PageStart {
  const start: unknown = JSON.parse(Buffer.from(token, 'base64url').toString())
  if (typeof start === 'object' && start !== null && 'version' in start && 'after' in start) {
    return { version: String(start.version), after: String(start.after) }
  }
  throw new Refusal({ status: 400, reason: 'BadRequest', message: 'continue key is not valid' })
}

function sortKey({ metadata }: FakeObject): string {
  return keyOf(metadata.namespace, metadata.name)
}
