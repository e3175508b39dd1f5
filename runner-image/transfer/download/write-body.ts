import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Failure } from '../../../common/failures.ts'
import type { Clock } from '../../../common/effects.ts'
import { slowest, watchRate } from './rate-watch.ts'

export interface BodyTarget {
  readonly file: FileHandle
  /** Offset of the next byte in the file; moves as bytes are written. */
  position: number
  /** Offset at which the file, or this part of it, ends. */
  readonly end: () => number
  /** Sees every piece before it is written; throws to refuse it. */
  readonly onPiece: (piece: Buffer, position: number) => void
  /** `position` has moved. */
  readonly onWritten: () => void
}

/** Of one body in memory at a time: some while they are written, as many while the next arrive. */
const batchBytes = 256 * 1024

/**
 * Writes an answer's body in place. Pieces that arrive during a write are written together by the
 * next: a slow body is on the disk at once, and a fast one costs few calls.
 * @throws Failure where the body comes too slowly; the connection's error where it breaks off
 */
export async function writeBody(
  response: IncomingMessage,
  target: BodyTarget,
  clock: Clock,
): Promise<void> {
  const rate = watchRate(clock, () => {
    response.destroy(
      new Failure(
        'UNREACHABLE_INPUT_FILE',
        `sent less than ${String(slowest.bytes / 1024)} KiB in ${String(slowest.windowMs / 1000)} s`,
      ),
    )
  })
  const batches = createBatches(target)
  let arrived = target.position
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      const room = target.end() - arrived
      if (room <= 0) break
      const kept = piece.length > room ? piece.subarray(0, room) : piece
      target.onPiece(kept, arrived)
      arrived += kept.length
      rate.add(kept.length)
      await batches.add(kept)
    }
  } finally {
    rate.stop()
    response.destroy()
    // Also of a body that broke off: it goes on from the last byte that is in place.
    await batches.written()
  }
}

interface Batches {
  /** Waits while enough is in memory. */
  add(piece: Buffer): Promise<void>
  written(): Promise<void>
}

function createBatches(target: BodyTarget): Batches {
  let gathered: Buffer[] = []
  let bytes = 0
  let writing: Promise<void> | null = null

  async function write(): Promise<void> {
    while (gathered.length > 0) {
      const batch = gathered
      const length = bytes
      gathered = []
      bytes = 0
      await writeAll(target, batch, length)
      target.onWritten()
    }
  }

  return {
    async add(piece) {
      gathered.push(piece)
      bytes += piece.length
      if (writing === null) {
        const begun = write().finally(() => {
          if (writing === begun) writing = null
        })
        writing = begun
        // Thrown by the next piece, or at the end.
        begun.catch(() => undefined)
      }
      if (bytes >= batchBytes) await writing
    },
    async written() {
      await writing
    },
  }
}

/** A full disk can take a part of what it is given before it says so. */
async function writeAll(target: BodyTarget, batch: Buffer[], length: number): Promise<void> {
  const { bytesWritten } = await target.file.writev(batch, target.position)
  target.position += bytesWritten
  if (bytesWritten === length) return
  const rest = Buffer.concat(batch).subarray(bytesWritten)
  await writeAll(target, [rest], rest.length)
}
