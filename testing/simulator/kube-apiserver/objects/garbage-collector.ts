import { Refusal } from './refusal.ts'
import type { Clock } from '../../../../common/runtime/effects.ts'
import type { FakeObject, ResourceDefinition } from './fake-object.ts'
import type { ObjectStore, StoreChange } from './object-store.ts'
import type { Registry } from './registry.ts'

/**
 * The garbage collector of the controller manager: dependents follow their owners (Background), go
 * before them (Foreground) or lose the reference (Orphan); an object whose owner never existed goes
 * too. It acts a moment after the change that calls for it.
 */
export function runGarbageCollector(deps: {
  store: ObjectStore
  registry: Registry
  clock: Clock
  definitions: readonly ResourceDefinition[]
  delayMs: () => number
}): void {
  const { store, registry, clock, definitions } = deps
  const uids = new Set<string>()

  store.onChange((change) => {
    noteUid(change)
    if (concerns(change)) clock.schedule(deps.delayMs(), () => collect(change.object))
  })

  function noteUid({ type, object }: StoreChange): void {
    if (type === 'DELETED') uids.delete(object.metadata.uid)
    else uids.add(object.metadata.uid)
  }

  function concerns({ type, object }: StoreChange): boolean {
    if (type === 'DELETED') return true
    if (type === 'ADDED') return object.metadata.ownerReferences !== undefined
    return object.metadata.finalizers?.some(isOurs) === true
  }

  function collect(object: FakeObject): void {
    if (!uids.has(object.metadata.uid))
      for (const dependent of dependentsOf(object)) prune(dependent)
    const current = store.get(object.kind, object.metadata.namespace, object.metadata.name)
    if (current === null) return removedDependent(object)
    prune(current)
    if (current.metadata.deletionTimestamp !== undefined) propagate(current)
  }

  /** A foreground deletion goes on when one of its dependents is gone. */
  function removedDependent(object: FakeObject): void {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owner = definitions
        .flatMap(({ kind }) => store.list(kind))
        .find(({ metadata }) => metadata.uid === uid)
      if (owner?.metadata.deletionTimestamp !== undefined) propagate(owner)
    }
  }

  function propagate(owner: FakeObject): void {
    const { finalizers = [] } = owner.metadata
    const dependents = dependentsOf(owner)
    if (finalizers.includes('orphan')) {
      for (const dependent of dependents) dropOwner(dependent, owner.metadata.uid)
      dropFinalizer(owner, 'orphan')
    } else if (finalizers.includes('foregroundDeletion')) {
      for (const dependent of dependents) remove(dependent)
      if (dependentsOf(owner).length === 0) dropFinalizer(owner, 'foregroundDeletion')
    }
  }

  function prune(object: FakeObject): void {
    const owners = object.metadata.ownerReferences ?? []
    if (owners.length > 0 && owners.every(({ uid }) => !uids.has(uid))) remove(object)
  }

  function remove(object: FakeObject): void {
    const { namespace, name, uid } = object.metadata
    ignoringRefusals(() => {
      registry.delete(definitionOf(object), { namespace, name }, { preconditions: { uid } })
    })
  }

  function dependentsOf(owner: FakeObject): FakeObject[] {
    return definitions
      .flatMap(({ kind }) => store.list(kind))
      .filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid),
      )
  }

  function dropOwner(object: FakeObject, ownerUid: string): void {
    update(object, (metadata) => ({
      ...metadata,
      ownerReferences: (metadata.ownerReferences ?? []).filter(({ uid }) => uid !== ownerUid),
    }))
  }

  function dropFinalizer(object: FakeObject, finalizer: string): void {
    update(object, (metadata) => ({
      ...metadata,
      finalizers: (metadata.finalizers ?? []).filter((entry) => entry !== finalizer),
    }))
  }

  function update(
    object: FakeObject,
    change: (metadata: FakeObject['metadata']) => FakeObject['metadata'],
  ): void {
    const { namespace, name } = object.metadata
    ignoringRefusals(() => {
      registry.update(definitionOf(object), { namespace, name, part: 'main' }, (current) => ({
        ...current,
        metadata: change(current.metadata),
      }))
    })
  }

  function definitionOf({ kind }: FakeObject): ResourceDefinition {
    const definition = definitions.find((entry) => entry.kind === kind)
    if (definition === undefined) throw new Error(`no definition of ${kind}`)
    return definition
  }
}

function isOurs(finalizer: string): boolean {
  return finalizer === 'orphan' || finalizer === 'foregroundDeletion'
}

/** A lost race: the object changed or vanished, and its change starts another pass. */
function ignoringRefusals(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}
