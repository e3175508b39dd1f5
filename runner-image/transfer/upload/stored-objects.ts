import type { ReportedObject } from '../../../common/gateway/messages.ts'

/** A file as it was stored last. */
export interface StoredFile extends ReportedObject {
  /** Absolute, on disk. */
  readonly source: string
  /** Output that it belongs to, for sentences. */
  readonly alias: string
}

/** Files that an attempt has stored, by the path below its prefix: the result names them to the gateway. */
export type StoredObjects = Map<string, StoredFile>

/** Drops what is not part of any output in the end: segments that FFmpeg has deleted meanwhile. */
export function keepObjects(objects: StoredObjects, paths: ReadonlySet<string>): void {
  for (const path of objects.keys()) if (!paths.has(path)) objects.delete(path)
}

export function reportedObjects(objects: StoredObjects): ReportedObject[] {
  return Array.from(objects.values(), ({ path, sizeBytes, etag }) => ({ path, sizeBytes, etag }))
}
