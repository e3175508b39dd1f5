import { refused, type Finding } from './findings.ts'
import type { Reading } from './reading.ts'

const hardware =
  /(?:^|_)(?:nvenc|nvdec|cuvid|qsv|vaapi|amf|mf|v4l2m2m|videotoolbox|vulkan|vdpau|omx|mediacodec|rkmpp|mmal|d3d12va)$/

/** `fps=30000/1001`, and x264's and x265's `zones=0,24,crf=20/25,49,crf=35`. */
const harmlessSlash = /=\d+\/\d+$|^\s*zones=/

export function inspectCodec(value: Reading): Finding[] {
  const name = value.text.trim().toLowerCase()
  if (!hardware.test(name)) return []
  return [
    refused(
      'command_forbidden',
      value.token,
      (place) => `Hardware codecs are not available: ${place}; use libx264, libx265 or libsvtav1`,
    ),
  ]
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
  return parts.some((part) =>
    /^(?:pass|stats|analysis|csv|recon|dump-yuv|output)/.test(part.trim()),
  )
    ? [{ kind: 'unnamed-files' }]
    : []
}
