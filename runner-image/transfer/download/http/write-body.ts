import type { FileHandle } from 'node:fs/promises'
import { Failure } from '../../../../common/domain/failures.ts'
import type { Clock } from '../../../../common/runtime/effects.ts'
import { diskPaceOf } from './disk-pace.ts'
import { createGatheredWrites } from './gathered-writes.ts'
import { slowest, watchRate } from './rate-watch.ts'
import type { ResponseBody } from './response-body.ts'

export interface BodyTarget {
  readonly file: FileHandle
  /** Offset of the next byte in the file; moves as bytes are written. */
  position: number
  /** Offset at which the file, or this part of it, ends. */
  readonly end: () => number
  /** Gets every piece before it is written, and must not keep it; throws to refuse it. */
  readonly onPiece: (piece: Buffer, position: number) => void
  /** `position` has moved. */
  readonly onWritten: () => void
}

/**
 * Writes an answer's body in place, up to the end of the target.
 * @throws Failure if the body comes too slowly; the connection's error if it breaks off
 */
export async function writeBody(
  body: ResponseBody,
  target: BodyTarget,
  clock: Clock,
): Promise<void> {
  const rate = watchRate(clock, () => {
    body.destroy(
      new Failure(
        'UNREACHABLE_INPUT_FILE',
        `sent less than ${String(slowest.bytes / 1024)} KiB in ${String(slowest.windowMs / 1000)} s`,
      ),
    )
  })
  const writes = createGatheredWrites(target, diskPaceOf(clock))
  let arrived = target.position
  try {
    await body.read((piece) => {
      // The end may move before what has arrived: then a range has these bytes, too.
      const room = Math.max(0, target.end() - arrived)
      const kept = piece.length > room ? piece.subarray(0, room) : piece
      target.onPiece(kept, arrived)
      arrived += kept.length
      rate.add(kept.length)
      const written = writes.add(kept)
      if (arrived >= target.end()) return false
      return written ?? true
    }, writes.memory)
  } finally {
    rate.stop()
    // Applies to a body that broke off too: its retry continues after the last byte that is in
    // place.
    await writes.done()
  }
}
