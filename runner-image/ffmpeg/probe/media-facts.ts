import type { MediaFacts } from '../../../common/gateway/messages.ts'
import type { ProbedStream, ProbeReport } from './probe-report.ts'
import { audioRate, kilobits, videoRate } from './bit-rates.ts'
import { codecLevel } from './codec-level.ts'
import { isManifestFormat } from './ffprobe-report.ts'
import { fileFormat, isImageFormat, mediaMimeType } from './file-format.ts'
import { isVaryingFrameRate, mostTimes } from './frame-times.ts'
import { mainStreams } from './main-video.ts'
import type { PacketSums } from './packet-sums.ts'
import { mediaTypeOf, unknownType } from '../../../common/domain/stored-type.ts'
import { unknownMedia } from '../../../common/gateway/unknown-media.ts'
import type { ShownPicture } from '../../contents/shown-picture.ts'

export interface ProbeResults {
  readonly fileName: string
  readonly report: ProbeReport
  /** Presentation times of the first video frames, in ticks; null = not read. */
  readonly frameTimes: readonly number[] | null
  /** Sums over all packets; null = not read. */
  readonly packets: PacketSums | null
  /** Facts in the bytes of a picture; null: none, or not a picture. */
  readonly picture: ShownPicture | null
}

/** The record of a file that FFmpeg can read. */
export function mediaFacts(results: ProbeResults): MediaFacts {
  const { fileName, report, frameTimes, packets, picture } = results
  const { video, audio, subtitle } = mainStreams(report)
  const image = isImageFormat(report)
  const still = image && isStill(report, frameTimes)
  const format = fileFormat(report, fileName)
  const kind = fileType(report)
  const main = video ?? audio
  const seconds = still ? null : duration(report, packets)
  const shown = video === undefined ? noSize : shownSize(video, still ? picture : null)
  return {
    duration: seconds,
    file_type: kind,
    file_format: format,
    ...shown,
    codec: (main ?? subtitle)?.codec ?? null,
    timebase: main?.timebase ?? null,
    pixel_format: video?.pixelFormat ?? null,
    mime_type: mediaMimeType(report, fileName, format, kind),
    frame_rate: still ? null : (video?.averageRate ?? video?.nominalRate ?? null),
    bitrate_video_kb: image ? null : kilobits(videoRate(report, packets, seconds)),
    bitrate_audio_kb: kilobits(audioRate(report, packets, seconds)),
    video_profile_level: video === undefined ? null : profileAndLevel(video),
    is_varying_frame_rate:
      video === undefined || frameTimes === null ? null : isVaryingFrameRate(frameTimes),
    ...movement(picture?.frameMs ?? []),
  }
}

/** Facts about frames that only the bytes of a picture tell. */
function movement(frameMs: readonly number[]): Partial<MediaFacts> {
  const total = frameMs.reduce((sum, each) => sum + each, 0)
  if (frameMs.length < 2 || total === 0) return {}
  let end = 0
  const times = frameMs.slice(0, mostTimes).map((each) => (end += each) - each)
  return {
    duration: total / 1000,
    frame_rate: (frameMs.length * 1000) / total,
    is_varying_frame_rate: isVaryingFrameRate(times),
  }
}

/** The record of a file that FFmpeg cannot read. */
export function unreadableFacts(fileName: string, zip: boolean): MediaFacts {
  return {
    ...unknownMedia,
    file_type: zip ? 'zip' : 'other',
    file_format: zip ? 'zip' : null,
    mime_type: zip ? 'application/zip' : typeOfNoMedia(fileName),
  }
}

/** The record of a picture that FFmpeg cannot read, such as a HEIC with a `clap`. */
export function pictureFacts({ format, size, isTurned }: ShownPicture): MediaFacts {
  const [width, height] = [size?.width ?? null, size?.height ?? null]
  return {
    ...unknownMedia,
    file_type: 'image',
    file_format: format,
    mime_type: mediaTypeOf(`file.${format}`),
    width: isTurned ? height : width,
    height: isTurned ? width : height,
  }
}

/** A page named like a picture is none: the name does not count for what FFmpeg would have read. */
function typeOfNoMedia(fileName: string): string {
  const byName = mediaTypeOf(fileName) ?? unknownType
  return /^(?:audio|image|video)\//.test(byName) || byName === 'application/zip'
    ? unknownType
    : byName
}

/** Whether a field of the record needs all packets, that is the whole file. */
export function needsPackets(report: ProbeReport, frameTimes: readonly number[] | null): boolean {
  const { video, audio } = mainStreams(report)
  const image = isImageFormat(report)
  if (report.streams.length === 0 || (image && isStill(report, frameTimes))) return false
  if (duration(report, null) === null) return true
  if (image) return false
  return (
    (video !== undefined && videoRate(report, null, null) === null) ||
    (audio !== undefined && audioRate(report, null, null) === null)
  )
}

function fileType(report: ProbeReport): string {
  const { video, audio, subtitle } = mainStreams(report)
  if (isManifestFormat(report)) return 'output_manifest'
  if (isImageFormat(report)) return 'image'
  if (video !== undefined) return 'video'
  if (audio !== undefined) return 'audio'
  return subtitle === undefined ? 'other' : 'subtitles'
}

/** Formats of single images say nothing about frames; those that can move are still with one. */
function isStill({ formatNames }: ProbeReport, frameTimes: readonly number[] | null): boolean {
  const single = formatNames.some((name) => name.endsWith('_pipe') || name === 'image2')
  return single || (frameTimes !== null && frameTimes.length <= 1)
}

function duration(report: ProbeReport, packets: PacketSums | null): number | null {
  const { video, audio } = mainStreams(report)
  const claims = [
    report.seconds,
    video?.seconds,
    audio?.seconds,
    ...report.streams.map(({ taggedSeconds }) => taggedSeconds),
    packets?.endSeconds,
  ]
  return claims.find((claim) => typeof claim === 'number' && claim > 0) ?? null
}

function shownSize(video: ProbedStream, picture: ShownPicture | null): typeof noSize {
  const size = picture?.size ?? null
  const { width, height } = size ?? video
  if (width <= 0 || height <= 0) return noSize
  const byContainer = size === null && Math.abs(video.rotation) % 180 === 90
  const isTurned = byContainer || picture?.isTurned === true
  return isTurned ? { width: height, height: width } : { width, height }
}

const noSize: { readonly width: number | null; readonly height: number | null } = {
  width: null,
  height: null,
}

function profileAndLevel(video: ProbedStream): string | null {
  const { codec, profile, level } = video
  if (profile === null) return null
  const written = codecLevel(codec, level)
  return written === null ? profile : `${profile}@${written}`
}
