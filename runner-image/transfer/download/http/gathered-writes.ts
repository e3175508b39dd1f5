import { writeSync, writev } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { pieceBytes } from '../../runtime/reused-memory.ts'
import type { DiskPace } from './disk-pace.ts'
import { createSlabQueue } from './slab-queue.ts'

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

/** Memory of one body: one half is being written while the other half is received. */
const waitingBytes = 4 * pieceBytes

/**
 * Writes pieces in place: at once, if the disk accepts them so; otherwise those that arrive during
 * a write are written together by the next.
 */
export function createGatheredWrites(target: WriteTarget, disk: DiskPace): GatheredWrites {
  const queue = createSlabQueue()
  let writing: Promise<void> | null = null
  let room: PromiseWithResolvers<undefined> | null = null
  let failure: { readonly error: unknown } | null = null

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
    while (queue.waiting() > 0) {
      // A full disk can accept a part of a write before it returns an error.
      const bytesWritten = await write(target, queue.unwritten())
      target.position += bytesWritten
      queue.markWritten(bytesWritten)
      room?.resolve(undefined)
      room = null
      target.onWritten()
    }
    writing = null
  }

  return {
    memory: queue.memory,
    add(piece) {
      if (failure !== null) throw failure.error
      if (queue.waiting() === 0 && disk.takesAtOnce()) {
        try {
          disk.timed(() => writeNow(piece))
        } catch (error) {
          failure = { error }
          throw error
        }
        return null
      }
      queue.append(piece)
      if (writing === null) {
        writing = writeAll()
        writing.catch((error: unknown) => {
          failure = { error }
          room?.reject(error)
        })
      }
      if (queue.waiting() < waitingBytes) return null
      room ??= Promise.withResolvers()
      // A caller that has no more pieces does not wait, and gets the error at the end.
      room.promise.catch(() => undefined)
      return room.promise
    },
    async done() {
      await writing
      queue.release()
      if (failure !== null) throw failure.error
    },
  }
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
