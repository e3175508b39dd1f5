import type { Answers } from '../../../common/openapi/openapi-types.ts'

export type UploadSession = Answers['initUpload']

/** Identifies the file's content: a journal must not complete an upload with other content. */
export interface FileFacts {
  readonly sizeBytes: number
  readonly modifiedMs: number
}

export interface BegunUpload {
  readonly file: FileFacts
  readonly session: UploadSession
  /** Part number to ETag, for the stored parts. */
  readonly etags: ReadonlyMap<number, string>
}

/**
 * The state of an upload outside of the program that sends it, so that a later one can resume it. The
 * URLs of the session are credentials for these parts.
 */
export interface UploadJournal {
  /** `null` if the journal does not exist or cannot be read. */
  read(): Promise<BegunUpload | null>
  begin(file: FileFacts, session: UploadSession): Promise<void>
  stored(partNumber: number, etag: string): Promise<void>
  remove(): Promise<void>
}

export function sameFile(one: FileFacts, other: FileFacts): boolean {
  return one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs
}

/** Bytes of the parts that the object store has. */
export function storedBytes({ file, session, etags }: BegunUpload): number {
  return Array.from(etags.keys(), (part) => partLength(session, file, part)).reduce(
    (sum, length) => sum + length,
    0,
  )
}

/** @param part from 1 */
export function partLength(session: UploadSession, file: FileFacts, part: number): number {
  return Math.min(session.part_size, file.sizeBytes - (part - 1) * session.part_size)
}
