import { statesLength } from '../../contents/mp3-length.ts'
import type { ReadBytes } from '../../contents/read-bytes.ts'
import type { ProbedStream, ProbeReport } from './probe-report.ts'
import type { PacketSums } from './packet-sums.ts'

/**
 * FFmpeg divides the size of a file without a length by the rate of its first frames:
 * of a sound of 30 s that begins with silence, it makes minutes.
 * @returns the report without such a duration and rates, which the packets then give; null if it has
 *   none of them
 */
export function withoutEstimates(report: ProbeReport, read: ReadBytes): ProbeReport | null {
  const isEstimated = report.formatNames.some((name) => estimatedFormats.has(name))
  if (!isEstimated || (report.formatNames.includes('mp3') && statesLength(read))) return null
  const streams = report.streams.map((stream) => ({ ...stream, seconds: null, bitRate: null }))
  return { ...report, streams, seconds: null, bitRate: null }
}

/**
 * The estimate with what was counted in its place. A rate from which FFmpeg has foreseen the length
 * is constant, and exact.
 * @param without the same report without its estimates
 * @param packets null: they could not be read, and an estimate is better than nothing
 */
export function withCounted(
  estimate: ProbeReport,
  without: ProbeReport,
  packets: PacketSums | null,
): ProbeReport {
  const counted = packets?.endSeconds ?? null
  if (counted === null) return estimate
  const wasForeseen = Math.abs((estimate.seconds ?? 0) - counted) < counted * foreseenWithin
  return wasForeseen
    ? { ...estimate, seconds: counted, streams: estimate.streams.map(withoutLength) }
    : without
}

const withoutLength = (stream: ProbedStream): ProbedStream => ({ ...stream, seconds: null })

/** Tags at the ends of a file have a share of its size. */
const foreseenWithin = 0.02

/** Names of files whose length FFmpeg will estimate. */
export const statesNoLength = /\.(?:aac|adts|ac3|e?ac3|ec3|ac4|dts|mp2|m[12]v|amr|awb)$/i

const estimatedFormats: ReadonlySet<string> = new Set([
  'aac',
  'ac3',
  'ac4',
  'adx',
  'dts',
  'eac3',
  'mp3',
  'mpegvideo',
  'amr',
  'amrnb',
  'amrwb',
])
