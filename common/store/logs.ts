import type { LogChunk } from '../gateway/messages.ts'

/** FFmpeg's messages: rows while a command runs and shortly after, then one object of the bucket. */
export interface LogStore {
  /**
   * Of the newest attempt that wrote any, by step and sequence; of `after`'s attempt only what came
   * later. Empty also where they are an object by now.
   */
  readLogs(commandId: string, after: LogPosition | null): Promise<StoredLogs>
  /** Commands that ended at least `olderThanSeconds` ago and whose messages are rows. */
  findLogsToStore(query: {
    olderThanSeconds: number
    limit: number
  }): Promise<{ commandId: string; accountId: string }[]>
  /** The object exists, so the rows go. */
  recordLogObject(commandId: string, object: LogObject): Promise<void>
}

/** What only readers of the REST API ask for. */
export interface LogReadingStore {
  findLogObject(commandId: string): Promise<LogObject | null>
}

export interface StoredLogs {
  /** null: there are no rows. */
  readonly attempt: string | null
  readonly chunks: StoredChunk[]
}

export interface StoredChunk extends LogChunk {
  /** Above 0 in place of a text that was cut out. */
  readonly cutBytes: number
}

/** Sequences increase per attempt, across its steps. */
export interface LogPosition {
  readonly attempt: string
  readonly sequence: number
}

export interface LogObject {
  readonly key: string
  /** Bytes of each step, which follow each other in the object. */
  readonly stepBytes: readonly number[]
}

/** What was written by one step, in order; a gap says how much is missing. */
export function logText(chunks: readonly StoredChunk[]): string {
  let text = ''
  let cut = 0
  for (const chunk of chunks) {
    if (chunk.cutBytes === 0) text += gap(cut) + chunk.text
    cut = chunk.cutBytes === 0 ? 0 : cut + chunk.cutBytes
  }
  return text + gap(cut)
}

/** In order of the steps; a step that wrote nothing has no entry. */
export function chunksByStep(chunks: readonly StoredChunk[]): Map<number, StoredChunk[]> {
  return Map.groupBy(chunks, ({ step }) => step)
}

function gap(bytes: number): string {
  return bytes === 0 ? '' : `… ${bytes} bytes left out …\n`
}
