import { asJsonObject } from '../../../common/json/json-object.ts'
import { brandsIn } from '../../contents/picture-brands.ts'
import { mostTimes } from './frame-times.ts'
import { mainVideo } from './main-video.ts'
import type { ProbedStream, ProbeReport } from './probe-report.ts'

/** @returns null if FFmpeg finds no media: `{}`, or a report without a format */
export function parseProbeReport(text: string): ProbeReport | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // killed in the middle of its output, or without any output: the file cannot be probed
    return null
  }
  const format = asJsonObject(asJsonObject(parsed)['format'])
  const names = string(format['format_name'])
  // any .txt is taken for a recording of a terminal, and would be stored as a video of 640 by 400
  if (names === null || names === 'tty') return null
  // one file of random bytes in some hundred "is" an MP3 or song lyrics
  const score = number(format['probe_score'])
  if (score !== null && score <= accidentalScore) return null
  const tags = asJsonObject(format['tags'])
  const formatNames = names.split(',')
  return {
    formatNames,
    brands: [tags['major_brand'], tags['compatible_brands']].flatMap((brands) =>
      brandsIn(string(brands) ?? ''),
    ),
    seconds: number(format['duration']),
    // for a manifest it is the manifest's own few bytes over the duration of the media that it
    // names
    bitRate: isManifestFormat({ formatNames }) ? null : number(format['bit_rate']),
    streams: list(asJsonObject(parsed)['streams']).map((entry) => stream(asJsonObject(entry))),
  }
}

/**
 * Score out of 100. FFmpeg itself warns of a misdetection up to 25 (AVPROBE_SCORE_RETRY); a name's
 * extension alone counts 50, so that a short recording keeps its format.
 */
const accidentalScore = 5

function stream(fields: Record<string, unknown>): ProbedStream {
  const tags = asJsonObject(fields['tags'])
  return {
    index: number(fields['index']) ?? 0,
    kind: string(fields['codec_type']) ?? 'unknown',
    codec: string(fields['codec_name']),
    tag: tagOf(string(fields['codec_tag_string'])),
    profile: known(string(fields['profile'])),
    level: number(fields['level']),
    width: number(fields['width']) ?? 0,
    height: number(fields['height']) ?? 0,
    pixelFormat: string(fields['pix_fmt']),
    averageRate: quotient(string(fields['avg_frame_rate'])),
    nominalRate: quotient(string(fields['r_frame_rate'])),
    timebase: string(fields['time_base']),
    seconds: number(fields['duration']),
    taggedSeconds: clock(string(tags['DURATION'])),
    bitRate: statedRate(fields['bit_rate']) ?? number(tags['BPS']) ?? number(tags['BPS-eng']),
    frames: number(fields['nb_frames']),
    isDefault: asJsonObject(fields['disposition'])['default'] === 1,
    cover: asJsonObject(fields['disposition'])['attached_pic'] === 1,
    rotation: rotation(list(fields['side_data_list'])),
  }
}

/** MPEG-1 writes all bits set, in units of 400 bit/s, for "variable" (ISO/IEC 11172-2, 2.4.3.2). */
function statedRate(value: unknown): number | null {
  const rate = number(value)
  return rate === 0x3ffff * 400 ? null : rate
}

function rotation(sideData: readonly unknown[]): number {
  return (
    sideData
      .map((entry) => number(asJsonObject(entry)['rotation']))
      .find((turn) => turn !== null) ?? 0
  )
}

/** `480000/19349`; null for `0/0`. */
function quotient(text: string | null): number | null {
  const [over = Number.NaN, under = Number.NaN] = (text ?? '').split('/').map(Number)
  const value = over / under
  return Number.isFinite(value) && value > 0 ? value : null
}

/** `00:00:03.000000000` in seconds. */
function clock(text: string | null): number | null {
  const parts = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text ?? '')
  if (parts === null) return null
  return Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3])
}

/** ffprobe writes `[0][0][0][0]` for none. */
function tagOf(text: string | null): string | null {
  return text === null || text.startsWith('[0]') ? null : text
}

/** FFmpeg writes the bare number of a profile for which it has no word. */
function known(profile: string | null): string | null {
  return profile === null || profile === 'unknown' || /^-?\d+$/.test(profile) ? null : profile
}

/** ffprobe writes most numbers as text, and `N/A` for missing ones. */
function number(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  if (value === '') return null
  const parsed = Number(value)
  return Number.isFinite(parsed) ? parsed : null
}

function string(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/**
 * Presentation times of the video, from a report that also holds the first packets of all streams;
 * packets without a time are left out.
 * @returns null if packets of other streams took the places of some
 */
export function timesInReport(text: string, report: ProbeReport): readonly number[] | null {
  const packets = list(asJsonObject(JSON.parse(text))['packets']).map(asJsonObject)
  if (report.streams.length > 1 && packets.length >= mostTimes) return null
  const video = mainVideo(report)
  return packets
    .filter((packet) => number(packet['stream_index']) === video?.index)
    .map((packet) => number(packet['pts']))
    .filter((time) => time !== null)
}

export function isManifestFormat({ formatNames }: Pick<ProbeReport, 'formatNames'>): boolean {
  return formatNames.includes('hls') || formatNames.includes('dash')
}
