import type { ProbedStream, ProbeReport } from './probe-report.ts'

/**
 * The stream that the record describes. A moving picture may have a still item in front of its
 * track, and a picture thumbnails in front of itself.
 */
export function mainVideo({ streams, brands }: ProbeReport): ProbedStream | undefined {
  const videos = streams.filter(({ kind, cover }) => kind === 'video' && !cover)
  const [first] = videos
  if (first === undefined) return first
  // previews stand in front of the raw picture
  if (brands.includes('crx ')) return videos.toSorted((a, b) => b.width - a.width)[0]
  if (first.seconds !== null) return first
  return (
    videos.find(({ seconds, frames }) => seconds !== null && (frames ?? 0) > 1) ??
    (first.frames === 1 ? videos.find(({ isDefault }) => isDefault) : undefined) ??
    first
  )
}

/**
 * Whether only its name makes it a picture: FFmpeg has found none of its kind in the file, and no
 * size. JPEGs are found by their name, too.
 */
export function isNamedPicture({ formatNames, streams: [first] }: ProbeReport): boolean {
  return formatNames.includes('image2') && first?.width === 0
}

/** @returns the index of a track with a still item in front, which FFmpeg takes for the video */
export function trackBehindStill(report: ProbeReport): number | null {
  const first = report.streams.find(({ kind, cover }) => kind === 'video' && !cover)
  const main = mainVideo(report)
  return main === undefined || main === first ? null : main.index
}

/** Streams that a record describes, the video first. */
export function mainStreams(report: ProbeReport) {
  const { streams } = report
  return {
    video: mainVideo(report),
    audio: streams.find(({ kind }) => kind === 'audio'),
    subtitle: streams.find(({ kind }) => kind === 'subtitle'),
  }
}
