import { giveBackMemory, pieceBytes, takeMemory } from '../../runtime/reused-memory.ts'

/** Bytes that wait to be written, in slabs of reused memory. */
export interface SlabQueue {
  /** Memory for the next piece. */
  readonly memory: () => Buffer
  /** Appends a piece; one that lies in `memory` is not copied. */
  append(piece: Buffer): void
  /** All that waits, in order. */
  unwritten(): Buffer[]
  markWritten(bytes: number): void
  /** Number of bytes that wait. */
  readonly waiting: () => number
  /** Gives all memory back. */
  release(): void
}

interface Slab {
  readonly memory: Buffer
  filled: number
  written: number
}

const shortestRead = 64 * 1024

export function createSlabQueue(): SlabQueue {
  const slabs: Slab[] = []
  let waiting = 0

  function lastSlab(room: number): Slab {
    const last = slabs.at(-1)
    if (last !== undefined && pieceBytes - last.filled >= room) return last
    const slab = { memory: takeMemory(), filled: 0, written: 0 }
    slabs.push(slab)
    return slab
  }

  function append(piece: Buffer): void {
    const slab = lastSlab(1)
    const isThere = piece.buffer === slab.memory.buffer
    const taken = isThere ? piece.length : piece.copy(slab.memory, slab.filled)
    slab.filled += taken
    waiting += taken
    if (taken < piece.length) append(piece.subarray(taken))
  }

  return {
    append,
    memory() {
      const { memory, filled } = lastSlab(shortestRead)
      return memory.subarray(filled)
    },
    unwritten: () => slabs.filter(hasMore).map(restOf),
    markWritten(bytes) {
      waiting -= bytes
      let left = bytes
      for (const slab of slabs) {
        const part = Math.min(left, slab.filled - slab.written)
        slab.written += part
        left -= part
      }
      for (;;) {
        const [slab] = slabs
        // The last one is still read into.
        if (slab === undefined || slabs.length === 1 || hasMore(slab)) return
        slabs.shift()
        giveBackMemory(slab.memory)
      }
    },
    waiting: () => waiting,
    release() {
      for (const { memory } of slabs.splice(0)) giveBackMemory(memory)
    },
  }
}

function hasMore({ filled, written }: Slab): boolean {
  return written < filled
}

function restOf({ memory, filled, written }: Slab): Buffer {
  return memory.subarray(written, filled)
}
