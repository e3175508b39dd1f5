export const pieceBytes = 512 * 1024

const free: Buffer[] = []

/**
 * Memory of `pieceBytes` for bytes on their way. It is used again and again: new memory for each
 * piece would be given back to the system only when V8 sees fit, some hundred MB later.
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
