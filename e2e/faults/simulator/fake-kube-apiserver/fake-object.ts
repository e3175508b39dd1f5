import type { OwnerReference } from '../../../../common/kubernetes/objects.ts'

/** An object as the API server keeps it. Never changed in place: each write makes a new one. */
export interface FakeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: FakeMetadata
  readonly spec?: Record<string, unknown>
  readonly status?: Record<string, unknown>
  readonly [field: string]: unknown
}

export interface FakeMetadata {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation?: number
  readonly creationTimestamp: string
  readonly deletionTimestamp?: string
  readonly deletionGracePeriodSeconds?: number
  readonly finalizers?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly ownerReferences?: readonly OwnerReference[]
}

/** What the simulated cluster knows of a kind. */
export interface ResourceDefinition {
  readonly kind: string
  /** `v1` or `<group>/<version>`. */
  readonly apiVersion: string
  readonly plural: string
  /** Whether status is written through its own path alone. */
  readonly hasStatus: boolean
  /** Seconds that a deleted object stays until its keeper removes it; 0 = none. */
  graceSeconds?(object: FakeObject): number
  /** The sentence of a 422, or null. */
  refuse?(next: FakeObject, previous: FakeObject | null): string | null
}

export function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`
}

export function sameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, entry]) => [name, sorted(entry)]))
}
