import { mainStreams } from './main-video.ts'
import type { PacketSums } from './packet-sums.ts'
import type { ProbedStream, ProbeReport } from './probe-report.ts'

export function videoRate(
  report: ProbeReport,
  packets: PacketSums | null,
  seconds: number | null,
): number | null {
  const { video } = mainStreams(report)
  if (video === undefined) return null
  return video.bitRate ?? rateBesideAudio(report) ?? packetRate(video, packets, seconds)
}

export function audioRate(
  report: ProbeReport,
  packets: PacketSums | null,
  seconds: number | null,
): number | null {
  const { audio } = mainStreams(report)
  if (audio === undefined) return null
  const alone = report.streams.every((stream) => stream === audio)
  return audio.bitRate ?? (alone ? report.bitRate : null) ?? packetRate(audio, packets, seconds)
}

/** The total rate minus the rates of the other streams, if all of them are known. */
function rateBesideAudio(report: ProbeReport): number | null {
  const others = report.streams.filter((stream) => stream !== mainStreams(report).video)
  const rates = others.map(({ bitRate }) => bitRate)
  if (report.bitRate === null || rates.includes(null)) return null
  const left = rates.reduce<number>((rate, other) => rate - (other ?? 0), report.bitRate)
  return left > 0 ? left : null
}

function packetRate(
  stream: ProbedStream,
  packets: PacketSums | null,
  seconds: number | null,
): number | null {
  const bytes = packets?.bytes.get(stream.index)
  return bytes === undefined || seconds === null ? null : (bytes * 8) / seconds
}

/** A published record's rates are whole bits only when divided by 1024. */
export function kilobits(bitsPerSecond: number | null): number | null {
  return bitsPerSecond === null ? null : bitsPerSecond / 1024
}
