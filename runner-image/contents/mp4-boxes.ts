export interface Mp4Box {
  readonly type: string
  /** Offset of its content. */
  readonly start: number
  /** Offset behind it; may lie behind the bytes at hand. */
  readonly end: number
}

/**
 * The boxes between two offsets (ISO/IEC 14496-12, 4.2), as far as their headers are at hand. Ends
 * at one that cannot be right.
 */
export function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Mp4Box> {
  let offset = from
  while (offset + 8 <= Math.min(to, bytes.length)) {
    const short = bytes.readUInt32BE(offset)
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    const isLong = short === 1
    if (isLong && offset + 16 > bytes.length) return
    const size = isLong ? Number(bytes.readBigUInt64BE(offset + 8)) : short
    const header = isLong ? 16 : 8
    // 0 = to the end of the file, which only the media may do.
    if (size < header) return
    yield { type, start: offset + header, end: offset + size }
    offset += size
  }
}

/** No box that a reader opens holds a tenth of it. */
const mostBoxes = 1000

/**
 * The boxes that another one is made of, which is at hand.
 * @returns null if it cannot be read as boxes, or as so many that a list of them would take more
 *   memory than the film's index
 */
export function boxesWithin(bytes: Buffer, parent: Mp4Box): Mp4Box[] | null {
  const boxes: Mp4Box[] = []
  let end = parent.start
  for (const box of boxesIn(bytes, parent.start, parent.end)) {
    // A value that is read by its box's length would lie behind the bytes.
    if (box.end > parent.end || boxes.length === mostBoxes) return null
    boxes.push(box)
    end = box.end
  }
  return parent.end - end < 8 ? boxes : null
}
