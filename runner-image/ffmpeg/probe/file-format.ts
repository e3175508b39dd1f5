import type { ProbeReport } from './probe-report.ts'
import { pictureOfBrands } from '../../contents/picture-brands.ts'
import { extensionOf, mediaTypeOf, unknownType } from '../../../common/domain/stored-type.ts'

/**
 * Detected from the contents, not from the name; the name only chooses among the names of one
 * family.
 * @returns the usual name of the format: `mp4`, `mkv`, `jpg`, `m3u8`
 */
export function fileFormat(report: ProbeReport, fileName: string): string | null {
  const { formatNames, streams } = report
  const picture = pictureOfBrands(report.brands)
  if (picture !== null) return picture
  const extension = extensionOf(fileName)
  if (formatNames.includes(extension)) return extension
  const first = formatNames[0]
  if (first === undefined) return null
  if (first === 'image2') return fromCodec(streams[0]?.codec ?? null) ?? extension
  if (first === 'mov') return fromBrand(report)
  return commonNames.get(first) ?? first.replace(/_pipe$/, '')
}

/** A picture, also one that moves. */
export function isImageFormat(report: ProbeReport): boolean {
  const { formatNames } = report
  return (
    formatNames.some((name) => name.endsWith('_pipe') || imageFormats.has(name)) ||
    pictureOfBrands(report.brands) !== null
  )
}

/** Taken from the name if it belongs to the detected format, else from the format. */
export function mediaMimeType(
  report: ProbeReport,
  fileName: string,
  format: string | null,
  fileType: string,
): string {
  const { formatNames } = report
  const extension = extensionOf(fileName)
  const belongs =
    pictureOfBrands(report.brands) === null &&
    (extension === format ||
      formatNames.some((name) => name === extension || otherNames.get(name)?.includes(extension)))
  const byFormat = mediaTypeOf(`file.${String(format)}`) ?? unknownType
  return ofKind(belongs ? (mediaTypeOf(fileName) ?? byFormat) : byFormat, fileType)
}

/** A container of films may hold sound alone, and one of sounds a film. */
function ofKind(mediaType: string, fileType: string): string {
  if (fileType === 'audio') {
    return soundTypes.get(mediaType) ?? mediaType.replace(/^video\//, 'audio/')
  }
  const holdsFilms = /^audio\/(?:mp4|ogg|webm|x-matroska)$/.test(mediaType)
  return fileType === 'video' && holdsFilms ? mediaType.replace(/^audio/, 'video') : mediaType
}

const soundTypes = new Map([
  ['video/x-m4v', 'audio/mp4'],
  ['video/iso.segment', 'audio/mp4'],
  ['video/x-ms-wmv', 'audio/x-ms-wma'],
  ['video/x-ms-asf', 'audio/x-ms-wma'],
])

function fromBrand({ brands: [major = ''] }: ProbeReport): string {
  // QuickTime itself began without brands
  if (major === 'qt  ' || major === '') return 'mov'
  if (/^M4[AB] /.test(major)) return 'm4a'
  if (major.startsWith('3g2')) return '3g2'
  return /^3g[ep]/.test(major) ? '3gp' : 'mp4'
}

const commonNames = new Map([
  ['hls', 'm3u8'],
  ['dash', 'mpd'],
  ['mpegts', 'ts'],
  ['matroska', 'mkv'],
  ['mpeg', 'mpg'],
  ['mpegvideo', 'mpg'],
  ['loas', 'aac'],
  ['jpeg_pipe', 'jpg'],
  ['jpegls_pipe', 'jls'],
  ['j2k_pipe', 'jp2'],
  ['jpegxl_pipe', 'jxl'],
  ['jpegxl_anim', 'jxl'],
  ['webvtt', 'vtt'],
  ['yuv4mpegpipe', 'y4m'],
])

/** Extensions under which FFmpeg's formats go besides their own names. */
const otherNames = new Map([
  ['mov', ['m4v', 'm4s', 'm4b', 'm4p', 'm4r', 'f4v', 'f4a', 'cmfv', 'cmfa', 'qt']],
  ['matroska', ['mka', 'weba']],
  ['ogg', ['ogv', 'opus', 'oga', 'spx', 'ogm']],
  ['asf', ['wmv', 'wma']],
  ['amr', ['awb']],
  ['image2', ['jpg', 'jpeg', 'png', 'bmp', 'tiff', 'webp']],
  ['jpeg_pipe', ['jpeg']],
  ['j2k_pipe', ['jp2', 'jpg2', 'jpx', 'jpf', 'j2k', 'j2c', 'jpc']],
  ['tiff_pipe', ['dng', 'cr2']],
  ['ico', ['cur']],
])

const imageFormats = new Set(['image2', 'gif', 'apng', 'ico', 'jpegxl_anim'])

function fromCodec(codec: string | null): string | null {
  return codec === 'mjpeg' ? 'jpg' : codec
}
