import { longestStart } from './start.ts'
import { matroskaStart } from './matroska-start.ts'
import { mp4Start } from './mp4-start.ts'
import type { ContainerStart } from './start.ts'

/** Enough for the first decision; a container may need more. */
export const firstBytes = 4096

/**
 * Reads from the beginning of a file whether its container can be read once, from start to end,
 * with the same result as for a reader that can seek. If that is uncertain, the answer is no. MPEG
 * transport streams are left out: FFmpeg reads the end of a file for its duration and comes back,
 * and some timestamps of audio then are a tick beside those of the first time.
 */
export function containerStart(start: Buffer): ContainerStart {
  if (start.length < firstBytes) return { kind: 'more', bytes: firstBytes }
  if (start.toString('latin1', 4, 8) === 'ftyp') return mp4Start(start)
  if (start.readUInt32BE(0) === 0x1a45dfa3) return matroskaStart(start)
  if (isFlashVideo(start)) return { kind: 'streamed', seconds: null }
  if (start.toString('latin1', 0, 3) === 'ID3') return taggedStart(start)
  return { kind: 'whole' }
}

/** Adobe's FLV, version 1. */
function isFlashVideo(start: Buffer): boolean {
  return start.toString('latin1', 0, 3) === 'FLV' && start[3] === 1
}

/**
 * MP3 after an ID3v2 tag (https://id3.org/id3v2.4.0-structure) with content. Without one, FFmpeg
 * searches for a tag at the end of the file, and copies it to the output.
 */
function taggedStart(start: Buffer): ContainerStart {
  const saysSomething = /^T[A-Z0-9]{3}$/.test(start.toString('latin1', 10, 14))
  const size = start.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  const frame = 10 + size
  if (!saysSomething || frame + 2 > longestStart) return { kind: 'whole' }
  if (start.length < frame + 2) return { kind: 'more', bytes: frame + 2 }
  const isLayer3 = start[frame] === 0xff && ((start[frame + 1] ?? 0) & 0xe6) === 0xe2
  return isLayer3 ? { kind: 'streamed', seconds: null } : { kind: 'whole' }
}
