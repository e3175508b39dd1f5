import type { FileHandle } from 'node:fs/promises'
import { giveBackMemory, pieceBytes, takeMemory } from '../reused-memory.ts'

export interface WriteTarget {
  readonly file: FileHandle
  /** Offset of the next byte in the file; moves as bytes are written. */
  position: number
  /** `position` has moved. */
  readonly onWritten: () => void
}

export interface GatheredWrites {
  /** Where the next piece may lie: it is not copied then. */
  readonly memory: () => Buffer
  /**
   * Copies the bytes where they do not lie in `memory` yet; they are written after those before.
   * @returns null = go on; else wait with the next, for as much is in memory as there should be
   * @throws the error of a write before
   */
  add(piece: Buffer): Promise<void> | null
  /** Resolves once all is written. @throws the error of a write */
  done(): Promise<void>
}

const shortestRead = 64 * 1024
/** Of one body: some while they are written, as many while the next arrive. */
const waitingBytes = 2 * pieceBytes

interface Slab {
  readonly memory: Buffer
  filled: number
  written: number
}

/**
 * Writes pieces in place. Those that arrive during a write are written together by the next: what
 * comes slowly is on the disk at once, and what comes fast costs few calls.
 */
export function createGatheredWrites(target: WriteTarget): GatheredWrites {
  const slabs: Slab[] = []
  let waiting = 0
  let writing: Promise<void> | null = null
  let room: PromiseWithResolvers<undefined> | null = null
  let failure: { readonly error: unknown } | null = null

  function lastSlab(room: number): Slab {
    const last = slabs.at(-1)
    if (last !== undefined && pieceBytes - last.filled >= room) return last
    const slab = { memory: takeMemory(), filled: 0, written: 0 }
    slabs.push(slab)
    return slab
  }

  function gather(piece: Buffer): void {
    const slab = lastSlab(1)
    const isThere = piece.buffer === slab.memory.buffer
    const taken = isThere ? piece.length : piece.copy(slab.memory, slab.filled)
    slab.filled += taken
    waiting += taken
    if (taken < piece.length) gather(piece.subarray(taken))
  }

  async function writeAll(): Promise<void> {
    while (waiting > 0) {
      const parts = slabs.map(({ memory, filled, written }) => memory.subarray(written, filled))
      // A full disk can take a part of what it is given before it says so.
      const { bytesWritten } = await target.file.writev(parts, target.position)
      target.position += bytesWritten
      waiting -= bytesWritten
      markWritten(bytesWritten)
      room?.resolve(undefined)
      room = null
      target.onWritten()
    }
    writing = null
  }

  function markWritten(bytes: number): void {
    let left = bytes
    for (const slab of slabs) {
      const part = Math.min(left, slab.filled - slab.written)
      slab.written += part
      left -= part
    }
    for (;;) {
      const [slab] = slabs
      // The last one is still read into.
      if (slab === undefined || slabs.length === 1 || slab.written < slab.filled) return
      slabs.shift()
      giveBackMemory(slab.memory)
    }
  }

  return {
    memory() {
      const { memory, filled } = lastSlab(shortestRead)
      return memory.subarray(filled)
    },
    add(piece) {
      if (failure !== null) throw failure.error
      gather(piece)
      if (writing === null) {
        writing = writeAll()
        writing.catch((error: unknown) => {
          failure = { error }
          room?.reject(error)
        })
      }
      if (waiting < waitingBytes) return null
      room ??= Promise.withResolvers()
      // Who needs no more pieces does not wait, and hears of it at the end.
      room.promise.catch(() => undefined)
      return room.promise
    },
    async done() {
      await writing
      for (const { memory } of slabs.splice(0)) giveBackMemory(memory)
    },
  }
}
