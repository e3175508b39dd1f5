import type { OwnerReference } from '../../../../common/kubernetes/resources/objects.ts'

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

/** Facts about a kind in the simulated cluster. */
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

/** A field that is undefined is as good as none: it would not be in the text. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false
  const left = fieldsOf(one)
  const right = new Map(fieldsOf(other))
  return (
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && sameJson(value, right.get(name)))
  )
}

function fieldsOf(object: object): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined)
}
