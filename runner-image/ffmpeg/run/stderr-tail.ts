/**
 * The last lines of a log, at most `capacity` bytes of them: the explanation of a failure is at the
 * end.
 */
export interface Tail {
  push(line: string): void
  /** Joined by LF; at most `bytes` of UTF-8 from the end, whole lines. */
  text(bytes: number): string
  /** @returns the lines, and the number of lines dropped since the last call; the tail is empty afterwards */
  drain(): { readonly lines: string[]; readonly forgotten: number }
}

export const tailCapacity = 64 * 1024

export function createTail(capacity: number = tailCapacity): Tail {
  let lines: { readonly text: string; readonly bytes: number }[] = []
  let first = 0
  let total = 0
  let forgotten = 0
  return {
    push(text) {
      const line = { text, bytes: Buffer.byteLength(text) + 1 }
      lines.push(line)
      total += line.bytes
      while (total > capacity && first < lines.length - 1) {
        total -= lines[first]?.bytes ?? 0
        first += 1
        forgotten += 1
      }
      // dropping one by one from the front would move all lines each time
      if (first > 1024) {
        lines = lines.slice(first)
        first = 0
      }
    },
    text(bytes) {
      const kept: string[] = []
      let room = bytes
      for (const line of lines.slice(first).toReversed()) {
        room -= line.bytes
        if (room < 0) break
        kept.unshift(line.text)
      }
      return kept.join('\n')
    },
    drain() {
      const drained = { lines: lines.slice(first).map(({ text }) => text), forgotten }
      lines = []
      first = total = forgotten = 0
      return drained
    },
  }
}
