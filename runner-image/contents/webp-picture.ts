import type { PictureSize } from './heif-item.ts'
import type { ReadBytes } from './read-bytes.ts'

export interface WebpPicture {
  /** The canvas, on which frames of other sizes move; null for the simple format. */
  readonly size: PictureSize | null
  /** The TIFF header of its Exif data; null if there are none. */
  readonly exif: ReadBytes | null
  /** One for each frame; empty if it does not move. */
  readonly frameMs: readonly number[]
}

/** The chunks of a WebP file of the extended format: https://developers.google.com/speed/webp/docs/riff_container */
export function webpPicture(read: ReadBytes): WebpPicture {
  let size: PictureSize | null = null
  let exif: ReadBytes | null = null
  const frameMs: number[] = []
  let at = 12
  for (let count = 0; count < mostChunks; count++) {
    const chunk = read(at, chunkHead)
    if (chunk.length < 8) break
    const type = chunk.toString('latin1', 0, 4)
    // only the extended format, which begins with this chunk, has more than the picture
    if (count === 0 && type !== 'VP8X') break
    if (type === 'VP8X' && chunk.length >= 18) {
      size = { width: chunk.readUIntLE(12, 3) + 1, height: chunk.readUIntLE(15, 3) + 1 }
    } else if (type === 'ANMF' && chunk.length === chunkHead) {
      frameMs.push(chunk.readUIntLE(20, 3))
    } else if (type === 'EXIF') {
      // some writers copy the header of a JPEG's segment
      const tiff = at + 8 + (chunk.toString('latin1', 8, 14) === 'Exif\u0000\u0000' ? 6 : 0)
      exif = (offset, length) => read(tiff + offset, length)
    }
    const bytes = chunk.readUInt32LE(4)
    at += 8 + bytes + (bytes % 2)
  }
  return { size, exif, frameMs }
}

/** With the twelve bytes of a frame up to its duration, and that. */
const chunkHead = 8 + 15
/** One for each frame. */
const mostChunks = 20_000
