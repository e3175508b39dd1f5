/**
 * Cuts what FFmpeg writes to stderr into lines that are safe to store and to show in a terminal or
 * a browser. A line ends at LF or CR. Memory is bounded for any output: a longer line is cut at
 * `longest` bytes and the rest of it is discarded.
 */
export interface LineCutter {
  push(chunk: Uint8Array): string[]
  /** The last line, if the output did not end with a line end. */
  end(): string[]
}

export const longestLogLine = 4096

export function createLineCutter(longest: number = longestLogLine): LineCutter {
  const held = Buffer.alloc(longest)
  let length = 0
  let cut = false
  return {
    push(chunk) {
      const lines: string[] = []
      for (let start = 0; start < chunk.length;) {
        const end = lineEnd(chunk, start)
        hold(chunk.subarray(start, end))
        if (end < chunk.length) lines.push(...take())
        start = end + 1
      }
      return lines
    },
    end: () => take(),
  }

  function hold(part: Uint8Array): void {
    const fits = Math.min(part.length, longest - length)
    held.set(part.subarray(0, fits), length)
    length += fits
    cut ||= fits < part.length
  }

  function take(): string[] {
    const text = scrubLine(held.toString('utf8', 0, length))
    const line = cut ? `${text.replace(/\uFFFD$/, '')}…` : text
    length = 0
    cut = false
    return line === '' ? [] : [line]
  }
}

function lineEnd(chunk: Uint8Array, from: number): number {
  for (let index = from; index < chunk.length; index += 1) {
    if (chunk[index] === 0x0a || chunk[index] === 0x0d) return index
  }
  return chunk.length
}

/**
 * Removes control characters (C0 but tab, DEL, C1) and those that change the direction of text: the
 * log contains metadata of a file, and escape sequences control a reader's terminal.
 */
export function scrubLine(line: string): string {
  return line.replaceAll(unsafe, '').trimEnd()
}

const unsafe = /[[\p{Cc}--\t]\u{202a}-\u{202e}\u{2066}-\u{2069}]/gv
