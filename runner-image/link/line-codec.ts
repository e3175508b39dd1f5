import type { FromSupervisor, ToSupervisor } from './messages.ts'

/** One message as the line that goes over the socket. */
export function encodeLine(message: ToSupervisor | FromSupervisor): string {
  return `${JSON.stringify(message)}\n`
}

/**
 * Cuts a byte stream into lines and holds at most one unfinished line of `longest` bytes: memory is
 * bounded for any input.
 * @param longest bytes of a line without its end
 * @returns a function that takes the next bytes and returns the lines they completed
 * @throws if a line is longer; the stream cannot be read further, close it
 */
export function createLineReader(longest: number): (chunk: Uint8Array) => string[] {
  let held: Uint8Array[] = []
  let heldBytes = 0
  return (chunk) => {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      hold(chunk.subarray(start, end))
      lines.push(Buffer.concat(held).toString('utf8'))
      held = []
      heldBytes = 0
      start = end + 1
    }
    if (start < chunk.length) hold(chunk.subarray(start))
    return lines
  }

  function hold(part: Uint8Array): void {
    heldBytes += part.length
    if (heldBytes > longest) {
      held = []
      throw new Error(`a line of the link is longer than ${String(longest)} bytes`)
    }
    held.push(part)
  }
}
