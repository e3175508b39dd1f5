import { createTextLines } from './text-lines.ts'

/** A block of `ffmpeg -progress`; null if FFmpeg says N/A or leaves the key out. */
export interface ProgressBlock {
  readonly outTimeUs: number | null
  readonly frame: number | null
  readonly totalBytes: number | null
  /** Multiple of real time. */
  readonly speed: number | null
  /** Frames a second of FFmpeg's own time, not of the video's. */
  readonly fps: number | null
  /** With it FFmpeg has written its own last statistics to the log, even with `-nostats`. */
  readonly isLast: boolean
}

/**
 * Reads `key=value` lines until `progress=continue` or `progress=end` closes a block. A customer
 * cannot write to this pipe, but FFmpeg may leave anything out: audio has no frame, images and the
 * null muxer no size, a copy no time at first.
 * @returns a function that takes the next bytes and returns the blocks they completed
 */
export function createProgressReader(): (chunk: Uint8Array) => ProgressBlock[] {
  let fields = new Map<string, string>()
  let blocks: ProgressBlock[] = []
  const push = createTextLines((line) => {
    const equals = line.indexOf('=')
    const key = line.slice(0, Math.max(equals, 0)).trim()
    if (key === 'progress') {
      blocks.push(block(fields, line.slice(equals + 1).trim() === 'end'))
      fields = new Map()
    } else if (wanted.has(key)) {
      fields.set(key, line.slice(equals + 1).trim())
    }
  })
  return (chunk) => {
    push(chunk)
    const complete = blocks
    blocks = []
    return complete
  }
}

const wanted = new Set(['out_time_us', 'out_time_ms', 'frame', 'total_size', 'speed', 'fps'])

function block(fields: ReadonlyMap<string, string>, isLast: boolean): ProgressBlock {
  return {
    // both are microseconds, despite the second one's name
    outTimeUs: number(fields.get('out_time_us') ?? fields.get('out_time_ms')),
    frame: number(fields.get('frame')),
    totalBytes: number(fields.get('total_size')),
    speed: number(fields.get('speed')?.replace(/x$/, '')),
    fps: number(fields.get('fps')),
    isLast,
  }
}

function number(text: string | undefined): number | null {
  if (text === undefined || text === '') return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}
