import { chunksByStep, logText } from '../../../common/store/logs.ts'
import { createLogReader } from '../../../common/domain/log-levels.ts'
import type { SmallObjects } from '../../../common/storage/object-store.ts'
import type { LogObject, StoredChunk } from '../../../common/store/logs.ts'

/** One step's part of a log object, in bytes from its beginning. */
export interface LogSlice {
  readonly step: number
  readonly start: number
  readonly end: number
}

export interface LogView {
  /** null: all of them. */
  readonly step: number | null
  /** Whether lines between the steps say which one it is. */
  readonly headed: boolean
  /** Only so many of the present lines, those between the steps included; null: all. */
  readonly tail: number | null
  /** Whether lines begin with their level. */
  readonly levels: boolean
}

/** The last lines of a text. */
export function lastLines(text: string, count: number): string {
  // A line end closes the last line and begins none.
  let from = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = count; left > 0 && from >= 0; left -= 1) from = text.lastIndexOf('\n', from - 1)
  return text.slice(from + 1)
}

/** Text of all rows. */
export function textOfRows(chunks: readonly StoredChunk[], view: LogView): string {
  const parts = [...chunksByStep(chunks)]
    .filter(([step]) => isWanted(step, view))
    .map(([step, own]) => header(step, view) + withLineEnd(shownText(logText(own), view)))
  return parts.join('')
}

/** Text of the object, in chunks as the object store sends them. */
export async function* piecesOfObject(
  storage: Pick<SmallObjects, 'readRange'>,
  { key, stepBytes }: LogObject,
  view: LogView,
  /** Bytes of each step that the reader has received already. */
  sent: ReadonlyMap<number, number> = new Map(),
): AsyncGenerator<string> {
  for (const { step, start, end } of slicesOf(stepBytes)) {
    const from = start + (sent.get(step) ?? 0)
    if (!isWanted(step, view) || from >= end) continue
    if (from === start) yield header(step, view)
    yield* shown(await storage.readRange({ key, start: from, end }), view)
  }
}

/** Rows hold whole lines. */
export function shownText(stored: string, { levels }: LogView): string {
  return createLogReader(levels)(stored)
}

async function* shown(bytes: AsyncIterable<Uint8Array>, { levels }: LogView) {
  const read = createLogReader(levels)
  const decoder = new TextDecoder()
  for await (const piece of bytes) yield read(decoder.decode(piece, { stream: true }))
  yield read(decoder.decode())
}

export function header(step: number, { headed }: LogView): string {
  return headed ? `==> step ${step} <==\n` : ''
}

export function isWanted(step: number, view: LogView): boolean {
  return view.step === null || view.step === step
}

function slicesOf(stepBytes: readonly number[]): LogSlice[] {
  let start = 0
  return stepBytes.map((bytes, step) => {
    const slice = { step, start, end: start + bytes }
    start = slice.end
    return slice
  })
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
