import type { ProbeReport } from './ffprobe-report.ts'
import { extensionOf, storedType } from '../../../common/domain/stored-type.ts'

/**
 * Detected from the contents, not from the name; the name only chooses among the names of one
 * family.
 * @returns the usual name of the format: `mp4`, `mkv`, `jpg`, `m3u8`
 */
export function fileFormat({ formatNames, streams }: ProbeReport, fileName: string): string | null {
  const extension = extensionOf(fileName)
  if (formatNames.includes(extension)) return extension
  const first = formatNames[0]
  if (first === undefined) return null
  if (first === 'image2') return fromCodec(streams[0]?.codec ?? null) ?? extension
  return commonNames.get(first) ?? first.replace(/_pipe$/, '')
}

/** A picture, also one that moves. */
export function isImageFormat({ formatNames, brands }: ProbeReport): boolean {
  return (
    formatNames.some((name) => name.endsWith('_pipe') || imageFormats.has(name)) ||
    brands.some((brand) => imageBrand.test(brand))
  )
}

/** Taken from the name if it belongs to the detected format, else from the format. */
export function mediaMimeType(
  { formatNames }: ProbeReport,
  fileName: string,
  format: string | null,
): string {
  const extension = extensionOf(fileName)
  const belongs =
    extension === format ||
    formatNames.some((name) => name === extension || otherNames.get(name)?.includes(extension))
  return storedType(belongs || format === null ? fileName : `file.${format}`).contentType
}

const commonNames = new Map([
  ['hls', 'm3u8'],
  ['dash', 'mpd'],
  ['mpegts', 'ts'],
  ['matroska', 'mkv'],
  ['mpeg', 'mpg'],
  ['jpeg_pipe', 'jpg'],
  ['jpegxl_pipe', 'jxl'],
  ['jpegxl_anim', 'jxl'],
  ['webvtt', 'vtt'],
])

/** Extensions under which FFmpeg's formats go besides their own names. */
const otherNames = new Map([
  ['mov', ['m4v', 'm4s', 'avif']],
  ['ogg', ['ogv', 'opus']],
  ['image2', ['jpg', 'jpeg', 'png', 'bmp', 'tiff', 'webp']],
  ['jpeg_pipe', ['jpeg']],
])

const imageFormats = new Set(['image2', 'gif', 'apng', 'ico', 'jpegxl_anim'])
const imageBrand = /avif|avis|heic|heix|hevc|mif1|msf1/

function fromCodec(codec: string | null): string | null {
  return codec === 'mjpeg' ? 'jpg' : codec
}
