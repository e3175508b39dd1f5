import { createTextLines } from '../run/text-lines.ts'

export interface PacketSums {
  /** Bytes by stream index. */
  readonly bytes: ReadonlyMap<number, number>
  /** Largest time of presentation, or else of decoding, plus duration. */
  readonly endSeconds: number | null
}

/**
 * Adds up packets while ffprobe writes them, one a line:
 * `stream_index=0|pts_time=0.040000|dts_time=0.040000|duration_time=0.040000|size=1234`. A film
 * has a million.
 */
export function createPacketSummer() {
  const bytes = new Map<number, number>()
  let endSeconds: number | null = null
  return {
    push: createTextLines((line) => {
      const fields = new Map(line.split('|').map(keyAndNumber))
      const stream = fields.get('stream_index') ?? Number.NaN
      const size = fields.get('size') ?? Number.NaN
      if (Number.isInteger(stream) && Number.isFinite(size)) {
        bytes.set(stream, (bytes.get(stream) ?? 0) + size)
      }
      // elementary streams of MPEG have only times of decoding
      const [shown = NaN, decoded = NaN] = [fields.get('pts_time'), fields.get('dts_time')]
      const start = Number.isNaN(shown) ? decoded : shown
      const end = start + (fields.get('duration_time') ?? 0)
      if (Number.isFinite(end)) endSeconds = Math.max(endSeconds ?? end, end)
    }),
    sums: (): PacketSums => ({
      bytes,
      endSeconds: endSeconds === null ? null : toMicros(endSeconds),
    }),
  }
}

/** ffprobe writes times in microseconds: a sum of two of them has more digits. */
function toMicros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6
}

function keyAndNumber(field: string): [string, number] {
  const equals = field.indexOf('=')
  return [field.slice(0, equals), Number.parseFloat(field.slice(equals + 1))]
}
