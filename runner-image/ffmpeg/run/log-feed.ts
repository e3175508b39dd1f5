import type { Clock } from '../../../common/runtime/effects.ts'
import { markedLine } from '../../../common/domain/log-levels.ts'
import { aboutOurOption, logLineFrom } from './log-level.ts'
import type { LogLine } from './log-level.ts'
import { createLineCutter, scrubLine } from './stderr-lines.ts'
import { createTail } from './stderr-tail.ts'

/**
 * FFmpeg's log on its way to the reader, in batches twice a second. If there are too many lines,
 * the reader gets the first and the newest of each half second: the last lines of FFmpeg are often
 * the purpose of the command. A reader that is too slow gets the newest lines of those that it
 * missed.
 */
export interface LogFeed {
  push(chunk: Uint8Array): void
  /** A line of ours among FFmpeg's, which may explain its end. */
  note(text: string): void
  /** A line of ours that only informs. */
  write(text: string): void
  /** Sends the remaining lines; nothing is sent afterwards. */
  end(): void
  firstLine(): string
  /**
   * The last lines that give the cause of a failure; if there are none, those that may explain it.
   */
  tail(bytes: number): string
}

/**
 * @param send gets lines, how many were left out before them, and whether the log has ended, so
 * that it cannot send them later; false if the lines could not be sent
 */
export function createLogFeed(
  clock: Clock,
  send: (lines: readonly string[], dropped: number, isLast: boolean) => boolean,
): LogFeed {
  const cutter = createLineCutter()
  const causes = createCauses()
  const newest = createTail(batchCapacity)
  const missed = createTail(batchCapacity)
  let batch: string[] = []
  let batchBytes = 0
  let roomBytes = bytesAPeriod
  let dropped = 0
  let cancel: (() => void) | null = null
  let isOver = false

  return {
    push: (chunk) => cutter.push(chunk).forEach(add),
    note: (text) => add(scrubLine(text)),
    write: (text) => show(text),
    end() {
      isOver = true
      cutter.end().forEach(add)
      finishPeriod()
      if (dropped > 0) send([], dropped, isOver)
    },
    firstLine: causes.firstLine,
    tail: causes.tail,
  }

  function add(marked: string): void {
    const line = logLineFrom(marked)
    if (line.weight === 'detail' || line.text.startsWith(aboutOurOption)) return
    causes.add(line)
    show(markedLine(line.level, line.text))
  }

  function show(line: string): void {
    cancel ??= clock.schedule(periodMs, finishPeriod)
    // A mark has six characters in JSON, and the line its quotes.
    const bytes = Buffer.byteLength(line) + markBytes
    // a filter can write megabytes a second
    if (bytes > roomBytes) {
      roomBytes = 0
      return newest.push(line)
    }
    roomBytes -= bytes
    if (batchBytes + bytes > batchCapacity) sendBatch()
    batchBytes += bytes
    batch.push(line)
  }

  function sendBatch(): void {
    const { lines, forgotten } = missed.drain()
    dropped += forgotten
    // FIFO: no line overtakes one that could not be sent
    const held = !hasGone(lines) ? [...lines, ...batch] : !hasGone(batch) ? batch : []
    for (const line of held) missed.push(line)
    batch = []
    batchBytes = 0
  }

  function hasGone(lines: readonly string[]): boolean {
    if (lines.length === 0) return true
    if (!send(lines, dropped, isOver)) return false
    dropped = 0
    return true
  }

  function finishPeriod(): void {
    cancel?.()
    cancel = null
    sendBatch()
    const { lines, forgotten } = newest.drain()
    dropped += forgotten
    batch = lines
    sendBatch()
    roomBytes = bytesAPeriod
  }
}

/**
 * Lines that explain a failure, by their weight: they would be lost among warnings and FFmpeg's descriptions of each
 * stream.
 */
function createCauses(): Pick<LogFeed, 'firstLine' | 'tail'> & { add(line: LogLine): void } {
  const errors = createTail()
  const hints = createTail(hintCapacity)
  let first: string | null = null
  return {
    add({ text, weight }) {
      first ??= text
      if (weight === 'error') errors.push(text)
      else if (weight === 'hint') hints.push(text)
    },
    firstLine: () => first ?? '',
    tail: (bytes) => errors.text(bytes) || hints.text(bytes),
  }
}

const periodMs = 500
const hintCapacity = 16 * 1024
/** Fits a line of the link even where every character doubles in JSON. */
const batchCapacity = 24 * 1024
const markBytes = 8
/** Same size as the reader keeps of the beginning of a log. */
const bytesAPeriod = 512 * 1024
