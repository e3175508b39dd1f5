import type { LogChunk } from '../gateway/messages.ts'

/** FFmpeg's log: rows while a command runs and shortly after, then one object of the bucket. */
export interface LogStore {
  /**
   * Chunks of the newest attempt that wrote any, by step and sequence; of `after`'s attempt only the
   * later ones. Also empty once the log is an object.
   */
  readLogs(commandId: string, after: LogPosition | null): Promise<StoredLogs>
  /** Commands that ended at least `olderThanSeconds` ago and whose log is still rows, without `except`. */
  findLogsToStore(query: {
    olderThanSeconds: number
    except: readonly string[]
    limit: number
  }): Promise<{ commandId: string; accountId: string }[]>
  /** Records the log's object and deletes its rows. */
  recordLogObject(commandId: string, object: LogObject): Promise<void>
}

/**
 * Most rows of a step's log that reports of progress may make, and bytes of their text, those included
 * that were cut again. A runner sends a chunk each two seconds and 512 KiB; its result brings the end.
 */
export const logRowsPerStep = 4_096
export const logTextPerStep = 4 * 1_024 * 1_024

/** Store methods that only the REST API uses. */
export interface LogReadingStore {
  findLogObject(commandId: string): Promise<LogObject | null>
}

export interface StoredLogs {
  /** null if there are no rows. */
  readonly attempt: string | null
  readonly chunks: StoredChunk[]
}

export interface StoredChunk extends LogChunk {
  /** Above 0 in place of a removed text, in bytes. */
  readonly cutBytes: number
}

/** Sequences increase per attempt, across its steps. */
export interface LogPosition {
  readonly attempt: string
  readonly sequence: number
}

export interface LogObject {
  readonly key: string
  /** Bytes of each step; the steps follow each other in the object. */
  readonly stepBytes: readonly number[]
}

/** The log of one step, in order; a line in each gap says how much is missing. */
export function logText(chunks: readonly StoredChunk[]): string {
  let text = ''
  let cut = 0
  for (const chunk of chunks) {
    if (chunk.cutBytes === 0) text += gap(cut) + chunk.text
    cut = chunk.cutBytes === 0 ? 0 : cut + chunk.cutBytes
  }
  return text + gap(cut)
}

/** Keys are in order of the steps; a step that wrote nothing has no entry. */
export function chunksByStep(chunks: readonly StoredChunk[]): Map<number, StoredChunk[]> {
  return Map.groupBy(chunks, ({ step }) => step)
}

function gap(bytes: number): string {
  return bytes === 0 ? '' : `… ${bytes} bytes left out …\n`
}
