export const pieceBytes = 512 * 1024

const free: Buffer[] = []

/**
 * Pool of buffers of `pieceBytes`. They are reused: V8 would return new memory for each piece to
 * the system only some hundred MB later.
 */
export function takeMemory(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
}

/**
 * Call it when the memory is not read or written any more; if that is uncertain, leave it to V8's
 * collector.
 */
export function giveBackMemory(memory: Buffer): void {
  free.push(memory)
}
