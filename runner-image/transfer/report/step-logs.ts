import type { LogChunk } from '../../../common/gateway/messages.ts'

const headBytes = 512 * 1024
const tailBytes = 512 * 1024
/** Characters of one chunk; the gateway takes 262,144. */
const chunkLength = 128 * 1024

export interface StepLogs {
  add(step: number, lines: readonly string[], dropped: number): void
  /** New lines that were not sent yet, the same ones until `sent` says that they arrived. */
  pending(atMost: number): LogChunk[]
  sent(chunks: readonly LogChunk[]): void
  /** No more lines will come: the ends of logs that were cut become pending too. */
  finish(): void
}

interface StepTail {
  lines: string[]
  bytes: number
  cutLines: number
}

/**
 * Keeps what FFmpeg wrote until the gateway has it: of each step the first and the last 512 KiB, so
 * that a very long log costs neither memory nor the lines that explain the failure.
 */
export function createStepLogs(): StepLogs {
  const headBytesByStep = new Map<number, number>()
  const tails = new Map<number, StepTail>()
  let queue: LogChunk[] = []
  let nextSequence = 0

  function addLine(step: number, line: string): void {
    const bytes = Buffer.byteLength(line) + 1
    const head = headBytesByStep.get(step) ?? 0
    if (head + bytes > headBytes) return addToTail(tailOf(step), line, bytes)
    headBytesByStep.set(step, head + bytes)
    append(step, line)
  }

  function tailOf(step: number): StepTail {
    const tail = tails.get(step) ?? { lines: [], bytes: 0, cutLines: 0 }
    tails.set(step, tail)
    return tail
  }

  function append(step: number, line: string): void {
    const last = queue.at(-1)
    if (last?.step === step && !offered.has(last) && last.text.length + line.length < chunkLength) {
      last.text += `${line}\n`
    } else {
      queue.push({ step, sequence: nextSequence++, text: `${line}\n` })
    }
  }

  // A chunk that was offered may have arrived: its text must not change under its sequence number.
  const offered = new Set<LogChunk>()

  return {
    add(step, lines, dropped) {
      if (dropped > 0) addLine(step, `… ${String(dropped)} lines left out …`)
      for (const line of lines) addLine(step, line)
    },
    pending(atMost) {
      const chunks = queue.slice(0, atMost)
      for (const chunk of chunks) offered.add(chunk)
      return chunks
    },
    sent(chunks) {
      const gone = new Set(chunks.map(({ sequence }) => sequence))
      queue = queue.filter((chunk) => !gone.has(chunk.sequence))
      for (const chunk of chunks) offered.delete(chunk)
    },
    finish() {
      for (const [step, tail] of tails) {
        if (tail.cutLines > 0) append(step, `… ${String(tail.cutLines)} lines left out …`)
        for (const line of tail.lines) append(step, line)
      }
      tails.clear()
    },
  }
}

function addToTail(tail: StepTail, line: string, bytes: number): void {
  tail.lines.push(line)
  tail.bytes += bytes
  let cut = 0
  while (tail.bytes > tailBytes) {
    tail.bytes -= Buffer.byteLength(tail.lines[cut] ?? '') + 1
    cut++
  }
  if (cut > 0) tail.lines.splice(0, cut)
  tail.cutLines += cut
}
