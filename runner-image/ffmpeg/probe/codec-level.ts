/**
 * A level as its standard writes it; FFmpeg gives each codec's own number.
 * @returns null if it is unknown: FFmpeg then says -99, or -8 for some decoders
 */
export function codecLevel(codec: string | null, level: number | null): string | null {
  if (level === null || level < 0) return null
  switch (codec) {
    case 'h264':
      // 9 is level 1b, between 1 and 1.1
      return level === 9 ? '1b' : (level / 10).toFixed(1)
    case 'hevc':
      return level === 0 ? null : (level / 30).toFixed(1)
    case 'av1':
      return `${String(2 + Math.floor(level / 4))}.${String(level % 4)}`
    case 'mpeg2video':
      return mpeg2Levels.get(level) ?? null
    case 'mpeg4':
      return String(level)
    default:
      return null
  }
}

const mpeg2Levels = new Map([
  [4, 'High'],
  [6, 'High 1440'],
  [8, 'Main'],
  [10, 'Low'],
])
