import type { Clock } from '../../common/effects.ts'
import { logLineFrom } from './log-level.ts'
import { createLineCutter, scrubLine } from './stderr-lines.ts'
import { createTail } from './stderr-tail.ts'

/** FFmpeg's log on its way to the reader: the newest lines in batches, the end of it kept. */
export interface LogFeed {
  push(chunk: Uint8Array): void
  /** A line of ours among FFmpeg's, which may explain its end. */
  note(text: string): void
  /** A line of ours that only informs. */
  tell(text: string): void
  /** Hands over what is left; nothing is sent afterwards. */
  end(): void
  firstLine(): string
  /** The last lines that say why something failed; where there are none, those that may explain it. */
  tail(bytes: number): string
}

/**
 * @param send gets lines and how many were left out before them; false where the lines could not go
 *   out either
 */
export function createLogFeed(
  clock: Clock,
  send: (lines: readonly string[], dropped: number) => boolean,
): LogFeed {
  const cutter = createLineCutter()
  const errors = createTail()
  const hints = createTail(hintCapacity)
  let first: string | null = null
  let batch: string[] = []
  let batchBytes = 0
  let droppedBefore = 0
  let droppedAfter = 0
  let cancel: (() => void) | null = null

  return {
    push: (chunk) => cutter.push(chunk).forEach(add),
    note: (text) => add(scrubLine(text)),
    tell: (text) => show(text),
    end() {
      cutter.end().forEach(add)
      flush()
      if (droppedBefore > 0) send([], droppedBefore)
    },
    firstLine: () => first ?? '',
    tail: (bytes) => errors.text(bytes) || hints.text(bytes),
  }

  function add(marked: string): void {
    const { text: line, weight } = logLineFrom(marked)
    first ??= line
    // What explains a failure would drown in warnings, and in what FFmpeg tells of every stream.
    if (weight === 'error') errors.push(line)
    else if (weight === 'hint') hints.push(line)
    show(line)
  }

  function show(line: string): void {
    batchBytes += Buffer.byteLength(line)
    // a filter can write megabytes a second; the tail holds what matters of them
    if (batchBytes > batchCapacity) droppedAfter += 1
    else batch.push(line)
    cancel ??= clock.schedule(batchEveryMs, flush)
  }

  function flush(): void {
    cancel?.()
    cancel = null
    if (batch.length > 0 && send(batch, droppedBefore)) droppedBefore = 0
    else droppedBefore += batch.length
    droppedBefore += droppedAfter
    droppedAfter = 0
    batch = []
    batchBytes = 0
  }
}

const batchEveryMs = 500
const hintCapacity = 16 * 1024
/** Fits a line of the link even where every character doubles in JSON. */
const batchCapacity = 24 * 1024
