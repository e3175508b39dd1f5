import type { FileHandle } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Failure } from '../../../common/failures.ts'
import type { Clock } from '../../../common/effects.ts'
import { slowest, watchRate } from './rate-watch.ts'

export interface BodyTarget {
  readonly file: FileHandle
  /** Offset of the next byte in the file; moves as bytes are written. */
  position: number
  /** Offset at which others have taken over; read anew for each piece. */
  readonly end: () => number
  /** Sees every piece before it is written; throws to refuse it. */
  readonly onPiece: (piece: Buffer, position: number) => void
}

/**
 * Writes an answer's body in place, one piece in memory at a time.
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
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      const room = target.end() - target.position
      if (room <= 0) break
      const kept = piece.length > room ? piece.subarray(0, room) : piece
      target.onPiece(kept, target.position)
      await target.file.write(kept, 0, kept.length, target.position)
      target.position += kept.length
      rate.add(kept.length)
    }
  } finally {
    rate.stop()
    response.destroy()
  }
}
