import type { FakeObject, ResourceDefinition } from './objects/fake-object.ts'
import type { ObjectStore, StoreChange } from './objects/object-store.ts'
import type { DeleteRequest, Registry } from './objects/registry.ts'

/** Access of controllers and kubelets of the simulation: the same rules, no network and no faults. */
export interface ClusterAccess {
  create(kind: string, namespace: string, body: object): FakeObject
  get(kind: string, namespace: string, name: string): FakeObject | null
  list(kind: string): FakeObject[]
  update(kind: string, namespace: string, name: string, change: Change): FakeObject
  updateStatus(
    kind: string,
    namespace: string,
    name: string,
    change: (status: Readonly<Record<string, unknown>>, object: FakeObject) => object,
  ): FakeObject
  delete(kind: string, namespace: string, name: string, request?: DeleteRequest): void
  /** The kubelet's last word on a pod: its grace period is over. */
  finishGrace(kind: string, namespace: string, name: string): void
  onChange(listener: (change: StoreChange) => void): () => void
}

type Change = (object: FakeObject) => unknown

export function createClusterAccess(
  { store, registry }: { readonly store: ObjectStore; readonly registry: Registry },
  definitions: readonly ResourceDefinition[],
): ClusterAccess {
  const definitionOf = (kind: string): ResourceDefinition => {
    const definition = definitions.find((entry) => entry.kind === kind)
    if (definition === undefined) throw new Error(`no definition of ${kind}`)
    return definition
  }
  return {
    create: (kind, namespace, body) => registry.create(definitionOf(kind), namespace, body),
    get: (kind, namespace, name) => store.get(kind, namespace, name),
    list: (kind) => store.list(kind),
    update: (kind, namespace, name, change) =>
      registry.update(definitionOf(kind), { namespace, name, part: 'main' }, change),
    updateStatus: (kind, namespace, name, change) =>
      registry.update(definitionOf(kind), { namespace, name, part: 'status' }, (object) => ({
        ...object,
        status: change(object.status ?? {}, object),
      })),
    delete(kind, namespace, name, request = {}) {
      registry.delete(definitionOf(kind), { namespace, name }, request)
    },
    finishGrace: (kind, namespace, name) =>
      registry.finishGrace(definitionOf(kind), namespace, name),
    onChange: (listener) => store.onChange(listener),
  }
}
