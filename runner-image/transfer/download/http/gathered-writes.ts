import { writeSync, writev } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { giveBackMemory, pieceBytes, takeMemory } from '../../runtime/reused-memory.ts'
import type { DiskPace } from './disk-pace.ts'

export interface WriteTarget {
  readonly file: FileHandle
  /** Offset of the next byte in the file; moves as bytes are written. */
  position: number
  /** `position` has moved. */
  readonly onWritten: () => void
}

export interface GatheredWrites {
  /** Memory for the next piece: a piece that lies there is not copied. */
  readonly memory: () => Buffer
  /**
   * Copies the bytes where they do not lie in `memory` yet; they are written after those before.
   * @returns null = continue; else wait with the next piece, because the memory limit is reached
   * @throws the error of a write before
   */
  add(piece: Buffer): Promise<void> | null
  /** Resolves once all is written. @throws the error of a write */
  done(): Promise<void>
}

const shortestRead = 64 * 1024
/** Memory of one body: one half is being written while the other half is received. */
const waitingBytes = 4 * pieceBytes

interface Slab {
  readonly memory: Buffer
  filled: number
  written: number
}

/**
 * Writes pieces in place: at once, if the disk accepts them so; otherwise those that arrive during
 * a write are written together by the next.
 */
export function createGatheredWrites(target: WriteTarget, disk: DiskPace): GatheredWrites {
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

  function writeNow(piece: Buffer): void {
    for (let done = 0; done < piece.length;) {
      const left = piece.length - done
      const written = writeSync(target.file.fd, piece, done, left, target.position)
      target.position += written
      done += written
    }
    target.onWritten()
  }

  async function writeAll(): Promise<void> {
    while (waiting > 0) {
      // A full disk can accept a part of a write before it returns an error.
      const bytesWritten = await write(target, slabs.filter(hasMore).map(restOf))
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
      if (waiting === 0 && disk.takesAtOnce()) {
        try {
          disk.timed(() => writeNow(piece))
        } catch (error) {
          failure = { error }
          throw error
        }
        return null
      }
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
      // A caller that has no more pieces does not wait, and gets the error at the end.
      room.promise.catch(() => undefined)
      return room.promise
    },
    async done() {
      await writing
      for (const { memory } of slabs.splice(0)) giveBackMemory(memory)
      if (failure !== null) throw failure.error
    },
  }
}

function hasMore({ filled, written }: Slab): boolean {
  return written < filled
}

function restOf({ memory, filled, written }: Slab): Buffer {
  return memory.subarray(written, filled)
}

/** Uses callbacks: each promise of node:fs allocates memory that V8 has to collect. */
function write({ file, position }: WriteTarget, parts: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(file.fd, parts, position, (error, bytesWritten) => {
      if (error === null) resolve(bytesWritten)
      else reject(error)
    })
  })
}
