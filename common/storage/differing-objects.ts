import type { ObjectStore, StoredObject } from './object-store.ts'

/** An object as it should be in the bucket. */
export interface ExpectedObject {
  /** Relative to the prefix. */
  readonly path: string
  readonly sizeBytes: number
  /** Without quotes; null = not known. */
  readonly etag: string | null
}

export interface Difference {
  readonly path: string
  /** Such as `it is missing` or `10 of 20 bytes`. */
  readonly problem: string
}

/**
 * Compares objects below a prefix with the bucket: one HEAD for one object, else one list of the
 * prefix. Other objects are ignored.
 * @throws ObjectStoreUnavailable
 */
export async function differingObjects(
  objects: Pick<ObjectStore, 'head' | 'list'>,
  prefix: string,
  expected: readonly ExpectedObject[],
): Promise<Difference[]> {
  const [only] = expected
  if (only === undefined) return []
  const found =
    expected.length === 1
      ? new Map([[prefix + only.path, await objects.head(prefix + only.path)]])
      : await objects.list(prefix)
  return expected.flatMap((object) => {
    const problem = problemOf(object, found.get(prefix + object.path) ?? null)
    return problem === null ? [] : [{ path: object.path, problem }]
  })
}

function problemOf({ sizeBytes, etag }: ExpectedObject, found: StoredObject | null): string | null {
  if (found === null) return 'it is missing'
  if (found.sizeBytes !== sizeBytes) return `${found.sizeBytes} of ${sizeBytes} bytes`
  return etag === null || found.etag === etag ? null : 'it has other contents'
}
