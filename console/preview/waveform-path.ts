/** Columns of a waveform. */
export const columns = 400

/**
 * The path of a waveform in a box of 400 by 100: in each column the loudest sample of it, up and down
 * from the middle.
 */
export function waveformPath(channels: readonly Float32Array[]): string {
  const samples = Math.max(0, ...channels.map(({ length }) => length))
  const parts = Array.from({ length: columns }, (_, column) => {
    const from = Math.floor((samples * column) / columns)
    const to = Math.max(from + 1, Math.floor((samples * (column + 1)) / columns))
    const height = Math.max(0.5, Math.min(1, peakOf(channels, from, to)) * 50)
    return `M${column + 0.5} ${(50 - height).toFixed(1)}V${(50 + height).toFixed(1)}`
  })
  return parts.join('')
}

function peakOf(channels: readonly Float32Array[], from: number, to: number): number {
  let peak = 0
  for (const samples of channels) {
    for (let index = from; index < to; index += 1) {
      const loud = Math.abs(samples[index] ?? 0)
      if (loud > peak) peak = loud
    }
  }
  return peak
}
