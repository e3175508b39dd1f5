import { threadParameters } from '../grammar/encoder-threads.ts'
import { refused, type Finding } from '../model/findings.ts'
import { substituteEncoder } from '../remedies/missing-parts.ts'
import type { Reading } from '../read/reading.ts'

const hardware =
  /(?:^|_)(?:nvenc|nvdec|cuvid|qsv|vaapi|amf|mf|v4l2m2m|videotoolbox|vulkan|vdpau|omx|mediacodec|rkmpp|mmal|d3d12va)$/

/**
 * `fps=30000/1001`, and x264's and x265's `zones=0,24,crf=20/25,49,crf=35`. No other value can have
 * this form: the parameters are split at each colon here, but a quoted one is part of a name to
 * FFmpeg.
 */
const harmlessSlash =
  /^\s*(?:[\w-]+=\d+\/\d+|zones=\d+,\d+(?:,[\w-]+=[\w.+-]*)+(?:\/\d+,\d+(?:,[\w-]+=[\w.+-]*)+)*)\s*$/

export function inspectCodec(value: Reading): Finding[] {
  if (!isHardwareCodec(value.text)) return []
  return [
    refused(
      'command_forbidden',
      value.token,
      (place) =>
        `Hardware codecs are not available: ${place}; use ${substituteEncoder(value.text) ?? 'libx264, libx265 or libsvtav1'}`,
    ),
  ]
}

export function isHardwareCodec(name: string): boolean {
  return hardware.test(name.trim().toLowerCase())
}

/**
 * Encoders name log and dump files in their own option strings. Bare names stay in the working
 * directory; a slash is taken only where it cannot be one of a path.
 */
export function inspectEncoderString(value: Reading): Finding[] {
  const parts = value.text.split(':')
  if (parts.some((part) => part.includes('/') && !harmlessSlash.test(part))) {
    return [
      refused(
        'command_forbidden',
        value.token,
        (place) => `Paths are not allowed in encoder parameters: ${place}; use bare names`,
      ),
    ]
  }
  if (parts.some(isDisguisedThreads)) {
    return [
      refused(
        'command_forbidden',
        value.token,
        (place) => `A number of threads is written without quotes and backslashes: ${place}`,
      ),
    ]
  }
  return parts.some((part) =>
    /^(?:pass|stats|analysis|csv|recon|dump-yuv|output)/.test(part.trim()),
  )
    ? [{ kind: 'unnamed-files' }]
    : []
}

/** FFmpeg would unquote the name; the number would not be found and held to the vCPUs. */
function isDisguisedThreads(part: string): boolean {
  const name = part.split('=')[0] ?? ''
  return /['\\]/.test(name) && threadParameters.test(name.replace(/['\\]/g, '').trim())
}
