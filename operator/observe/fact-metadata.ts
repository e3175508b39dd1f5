import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import type { CachedObject } from '../machinery/object-cache.ts'
import type { Place } from '../machinery/watched-objects.ts'

/** Metadata that caches keep: enough to address an object and to guard a write. */
export type FactMetadata = CachedObject['metadata'] & Place

export function factMetadata(metadata: ObjectMeta): FactMetadata {
  const { namespace = '', name, uid, resourceVersion } = metadata
  return { namespace, name, uid, resourceVersion }
}

export interface Facts {
  readonly metadata: FactMetadata
  /** Shown to clients only. */
  readonly start?: unknown
  /** Metrics alone read it. */
  readonly times?: unknown
}

/** Whether a watch event changed anything that a decision depends on. */
export function sameFacts<T extends Facts>(a: T, b: T): boolean {
  return decisive(a) === decisive(b)
}

function decisive(facts: Facts): string {
  return JSON.stringify({ ...facts, metadata: facts.metadata.uid, start: null, times: null })
}
