import { exifOrientation, isQuarterTurn } from './exif-orientation.ts'
import { heifItem } from './heif-item.ts'
import type { HeifItem, PictureSize } from './heif-item.ts'
import { brandsIn, pictureOfBrands } from './picture-brands.ts'
import type { ReadBytes } from './read-bytes.ts'
import { webpPicture } from './webp-picture.ts'

/** Facts about a picture that FFmpeg 7.1 does not tell without decoding it, or not at all. */
export interface ShownPicture {
  /** The usual extension: `heic`. */
  readonly format: string
  /** Pixels; null: as FFmpeg says. */
  readonly size: PictureSize | null
  /** The picture is turned by a quarter: width and height are to be exchanged. */
  readonly isTurned: boolean
  /** One for each frame of a moving WebP, of which FFmpeg reads none; else empty. */
  readonly frameMs: readonly number[]
}

/** @returns null if it is not a JPEG, TIFF, WebP, HEIC or AVIF */
export function shownPicture(read: ReadBytes): ShownPicture | null {
  const start = read(0, 12).toString('latin1')
  if (start.startsWith('\u00ff\u00d8')) return turnedBy('jpg', jpegExif(read))
  if (/^(?:II\*\0|MM\0\*)/.test(start)) return turnedBy('tiff', read)
  if (/^RIFF[^]{4}WEBP/.test(start)) {
    const { size, exif, frameMs } = webpPicture(read)
    return { ...turnedBy('webp', exif), size, frameMs }
  }
  if (start.slice(4, 8) !== 'ftyp') return null
  const item = heifItem(read)
  const brandBytes = Math.min(read(0, 4).readUInt32BE(0), mostBrandBytes) - 8
  const format = pictureOfBrands(brandsIn(read(8, brandBytes).toString('latin1')))
  if (item === null || format === null) return null
  return { format, size: shownSize(item), isTurned: false, frameMs: [] }
}

const mostBrandBytes = 1024

function turnedBy(format: string, exif: ReadBytes | null): ShownPicture {
  const isTurned = exif !== null && isQuarterTurn(exifOrientation(exif))
  return { format, size: null, isTurned, frameMs: [] }
}

function shownSize({ size, changes }: HeifItem): PictureSize {
  return changes.reduce(({ width, height }, change) => {
    if (change.kind === 'crop') return { width: change.width, height: change.height }
    const isQuarter = change.kind === 'turn' && change.quarters % 2 === 1
    return isQuarter ? { width: height, height: width } : { width, height }
  }, size)
}

/** The segment APP1 with Exif, which lies in front of the picture. */
function jpegExif(read: ReadBytes): ReadBytes | null {
  let at = 2
  for (let count = 0; count < mostSegments; count++) {
    const head = read(at, segmentHead)
    const marker = head.length < segmentHead ? startOfScan : head.readUInt16BE(0)
    if (marker < firstMarker || marker === startOfScan) return null
    if (marker === app1 && head.toString('latin1', 4) === exifHeader) {
      const tiff = at + segmentHead
      return (offset, length) => read(tiff + offset, length)
    }
    // bytes of 0xff may fill the space between two segments
    at += marker === 0xffff ? 1 : 2 + head.readUInt16BE(2)
  }
  return null
}

const exifHeader = 'Exif\u0000\u0000'
const segmentHead = 4 + exifHeader.length
const firstMarker = 0xffc0
const startOfScan = 0xffda
const app1 = 0xffe1
const mostSegments = 1000
