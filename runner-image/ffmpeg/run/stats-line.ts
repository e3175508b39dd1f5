import type { ProgressBlock } from './progress.ts'

type Figures = Omit<ProgressBlock, 'isLast'>

/**
 * FFmpeg's statistics in the format of its terminal output: `frame=125 fps=62 size=1024KiB
 * time=00:00:05.00 speed=2.1x`. Its own line is off, because it would fill the log.
 */
export function statsLine({ frame, fps, totalBytes, outTimeUs, speed }: Figures): string {
  return [
    frame === null ? [] : [`frame=${String(frame)}`],
    fps === null || fps === 0 ? [] : [`fps=${String(fps)}`],
    totalBytes === null ? [] : [`size=${String(Math.round(totalBytes / 1024))}KiB`],
    `time=${outTimeUs === null ? 'N/A' : clockText(outTimeUs)}`,
    speed === null ? [] : [`speed=${String(speed)}x`],
  ]
    .flat()
    .join(' ')
}

function clockText(microseconds: number): string {
  const hundredths = Math.round(Math.abs(microseconds) / 10_000)
  const seconds = Math.floor(hundredths / 100)
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const text = fields.map((field) => String(field).padStart(2, '0')).join(':')
  return `${microseconds < 0 ? '-' : ''}${text}.${String(hundredths % 100).padStart(2, '0')}`
}
