import { isJsonObject } from '../../../../common/json/json-object.ts'
import { sameJson } from './fake-object.ts'
import { alreadyExists, conflict, invalid, notFound, Refusal } from './refusal.ts'
import type { FakeMetadata, FakeObject, ResourceDefinition } from './fake-object.ts'
import type { Clock } from '../../../../common/runtime/effects.ts'
import type { ObjectStore } from './object-store.ts'

export interface Preconditions {
  readonly uid?: string
  readonly resourceVersion?: string
}

export interface DeleteRequest {
  readonly preconditions?: Preconditions
  readonly propagationPolicy?: string
  readonly gracePeriodSeconds?: number
}

/** Work of the API server between a request and the store, for any kind. */
export interface Registry {
  /**
   * @param dryRun everything but the write, as `?dryRun=All`
   * @throws Refusal
   */
  create(
    definition: ResourceDefinition,
    namespace: string,
    body: unknown,
    dryRun?: boolean,
  ): FakeObject
  /** @throws Refusal */
  get(definition: ResourceDefinition, namespace: string, name: string): FakeObject
  /**
   * @param part `status` changes nothing but the status, `main` everything else
   * @throws Refusal
   */
  update(
    definition: ResourceDefinition,
    at: { namespace: string; name: string; part: 'main' | 'status' },
    change: (object: FakeObject) => unknown,
  ): FakeObject
  /**
   * Removes the object, or marks it where finalizers or a grace period keep it.
   * @throws Refusal
   */
  delete(
    definition: ResourceDefinition,
    at: { namespace: string; name: string },
    request: DeleteRequest,
  ): FakeObject
  /** The end of a grace period: what the kubelet does when a pod's last container has ended. */
  finishGrace(definition: ResourceDefinition, namespace: string, name: string): void
}

export function createRegistry(deps: { store: ObjectStore; clock: Clock }): Registry {
  const { store, clock } = deps
  let created = 0

  return {
    create(definition, namespace, body, dryRun = false) {
      const given = isJsonObject(body) ? body : {}
      const metadata = isJsonObject(given['metadata']) ? given['metadata'] : {}
      created += 1
      const name = nameOf(metadata, created)
      if (store.get(definition.kind, namespace, name) !== null) {
        throw alreadyExists(definition.plural, name)
      }
      const object = {
        ...given,
        apiVersion: definition.apiVersion,
        kind: definition.kind,
        metadata: {
          ...metadata,
          name,
          namespace,
          uid: `00000000-0000-4000-8000-${String(created).padStart(12, '0')}`,
          resourceVersion: '',
          generation: 1,
          creationTimestamp: now(),
        },
      }
      const next = accepted(
        definition,
        definition.hasStatus ? without(object, 'status') : object,
        null,
      )
      return dryRun ? next : store.put(next)
    },
    get: find,
    update(definition, at, change) {
      const current = find(definition, at.namespace, at.name)
      const changed = change(current)
      if (!isFakeObject(changed)) {
        throw new Refusal({ status: 400, reason: 'BadRequest', message: 'not an object' })
      }
      checkVersion(definition, current, changed.metadata.resourceVersion)
      if (changed.metadata.uid !== current.metadata.uid) throw immutableUid(definition, current)
      const next = accepted(definition, merged(definition, current, changed, at.part), current)
      if (sameJson(next, current)) return current
      return isFinished(next) ? store.remove(next) : store.put(next)
    },
    delete(definition, at, request) {
      const current = find(definition, at.namespace, at.name)
      checkUid(definition, current, request.preconditions?.uid)
      checkVersion(definition, current, request.preconditions?.resourceVersion)
      const policy = policyFinalizers(request.propagationPolicy)
      const grace = request.gracePeriodSeconds ?? definition.graceSeconds?.(current) ?? 0
      const finalizers = [...new Set([...(current.metadata.finalizers ?? []), ...policy])]
      if (current.metadata.deletionTimestamp !== undefined) {
        const kept = current.metadata.deletionGracePeriodSeconds ?? 0
        if (grace >= kept || finalizers.length > 0) return current
      }
      if (grace === 0 && finalizers.length === 0) return store.remove(current)
      const marked = {
        ...current,
        metadata: {
          ...current.metadata,
          ...(finalizers.length === 0 ? {} : { finalizers }),
          generation: (current.metadata.generation ?? 1) + 1,
          deletionTimestamp: current.metadata.deletionTimestamp ?? now(),
          deletionGracePeriodSeconds: grace,
        },
      }
      return store.put(marked)
    },
    finishGrace(definition, namespace, name) {
      const current = store.get(definition.kind, namespace, name)
      if (current?.metadata.deletionTimestamp === undefined) return
      const finished = {
        ...current,
        metadata: { ...current.metadata, deletionGracePeriodSeconds: 0 },
      }
      if (isFinished(finished)) store.remove(finished)
      else if (current.metadata.deletionGracePeriodSeconds !== 0) store.put(finished)
    },
  }

  function find(definition: ResourceDefinition, namespace: string, name: string): FakeObject {
    const object = store.get(definition.kind, namespace, name)
    if (object === null) throw notFound(definition.plural, name)
    return object
  }

  function now(): string {
    return clock
      .wall()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z')
  }
}

/** Kept by nothing any more. */
function isFinished({ metadata }: FakeObject): boolean {
  if (metadata.deletionTimestamp === undefined) return false
  const { finalizers = [], deletionGracePeriodSeconds = 0 } = metadata
  return finalizers.length === 0 && deletionGracePeriodSeconds === 0
}

function checkUid({ plural }: ResourceDefinition, current: FakeObject, wanted?: string): void {
  const { name, uid } = current.metadata
  if (wanted === undefined || wanted === uid) return
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`
  throw conflict(plural, name, why)
}

function checkVersion(
  { plural }: ResourceDefinition,
  { metadata: { name, resourceVersion } }: FakeObject,
  wanted: string | undefined,
): void {
  if (wanted === undefined || wanted === '' || wanted === resourceVersion) return
  const why = 'the object has been modified; please apply your changes to the latest version'
  throw conflict(plural, name, why)
}

function immutableUid({ kind }: ResourceDefinition, { metadata }: FakeObject): Refusal {
  return invalid(kind, metadata.name, 'Invalid value: "x": field is immutable', 'metadata.uid')
}

/** Server-owned metadata stays; the request's is ignored. */
function merged(
  definition: ResourceDefinition,
  current: FakeObject,
  changed: FakeObject,
  part: 'main' | 'status',
): FakeObject {
  if (part === 'status') return withStatus(current, changed.status)
  const kept = definition.hasStatus ? withStatus(changed, current.status) : changed
  const { uid, resourceVersion, creationTimestamp, generation = 1 } = current.metadata
  const { deletionTimestamp, deletionGracePeriodSeconds } = current.metadata
  const metadata: FakeMetadata = {
    ...changed.metadata,
    uid,
    resourceVersion,
    creationTimestamp,
    generation: sameJson(changed.spec, current.spec) ? generation : generation + 1,
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
  }
  return { ...kept, apiVersion: current.apiVersion, kind: current.kind, metadata }
}

function withStatus(object: FakeObject, status: Record<string, unknown> | undefined): FakeObject {
  const rest = without(object, 'status')
  return status === undefined ? rest : { ...rest, status }
}

function without<T extends object>(object: T, field: string): T {
  const copy = { ...object }
  Reflect.deleteProperty(copy, field)
  return copy
}

function accepted(
  definition: ResourceDefinition,
  next: FakeObject,
  previous: FakeObject | null,
): FakeObject {
  const { name, finalizers = [] } = next.metadata
  const old = previous?.metadata
  if (old?.deletionTimestamp !== undefined) {
    const added = finalizers.filter((finalizer) => !(old.finalizers ?? []).includes(finalizer))
    if (added.length > 0) {
      throw invalid(
        definition.kind,
        name,
        'no new finalizers can be added if the object is being deleted',
      )
    }
  }
  const refusal = definition.refuse?.(next, previous) ?? null
  if (refusal !== null) throw invalid(definition.kind, name, refusal)
  return next
}

function policyFinalizers(policy: string | undefined): string[] {
  if (policy === 'Foreground') return ['foregroundDeletion']
  return policy === 'Orphan' ? ['orphan'] : []
}

function nameOf(metadata: Readonly<Record<string, unknown>>, serial: number): string {
  if (typeof metadata['name'] === 'string') return metadata['name']
  if (typeof metadata['generateName'] !== 'string') {
    const message = 'name or generateName is required'
    throw new Refusal({ status: 422, reason: 'Invalid', message })
  }
  return metadata['generateName'] + serial.toString(36).padStart(5, '0')
}

function isFakeObject(value: unknown): value is FakeObject {
  return isJsonObject(value) && isJsonObject(value['metadata'])
}
