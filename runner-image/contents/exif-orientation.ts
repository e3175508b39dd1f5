/**
 * How a picture is turned, 1 to 8: from 5 on by a quarter, so that its width is its height (Exif 2.32, 4.6.5.1).
 * @param read from Exif data without `Exif\0\0`, or a TIFF file: a header, and the directory that it names
 * @returns 1, upright, where nothing is said
 */
export function exifOrientation(read: (offset: number, length: number) => Buffer): number {
  const order = read(0, 4).toString('latin1')
  const little = order === 'II*\u0000'
  if (!little && order !== 'MM\u0000*') return upright
  const number = (offset: number, bytes: 2 | 4): number => {
    const found = read(offset, bytes)
    if (found.length < bytes) return 0
    return little ? found.readUIntLE(0, bytes) : found.readUIntBE(0, bytes)
  }
  const directory = number(4, 4)
  const count = Math.min(number(directory, 2), mostEntries)
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * entryBytes
    if (number(entry, 2) !== orientationTag) continue
    const value = number(entry + 8, number(entry + 2, 2) === typeLong ? 4 : 2)
    return value >= 1 && value <= 8 ? value : upright
  }
  return upright
}

const upright = 1
const orientationTag = 0x0112
const typeLong = 4
const entryBytes = 12
/** Cameras write some twenty. */
const mostEntries = 500

export function isQuarterTurn(orientation: number): boolean {
  return orientation >= 5
}
