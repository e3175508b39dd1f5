import { basename, resolve } from 'node:path'
import type { Probe, Probed } from '../../link/messages.ts'
import { storedType } from '../../../common/domain/stored-type.ts'
import { readingFile } from '../../contents/read-bytes.ts'
import { shownPicture } from '../../contents/shown-picture.ts'
import type { ShownPicture } from '../../contents/shown-picture.ts'
import { statesNoLength, withCounted, withoutEstimates } from './estimated-length.ts'
import type { FfprobeProcess, ProbeKind } from './ffprobe-process.ts'
import { parseProbeReport, timesInReport } from './ffprobe-report.ts'
import type { ProbeReport } from './probe-report.ts'
import { isImageFormat } from './file-format.ts'
import { createTimesReader, mostTimes } from './frame-times.ts'
import { mediaFacts, needsPackets, pictureFacts, unreadableFacts } from './media-facts.ts'
import { isNamedPicture, trackBehindStill } from './main-video.ts'
import { createPacketSummer } from './packet-sums.ts'

export interface ProbeDeps {
  /** Relative paths are below it. */
  readonly work: string
  /** A probe of that file: a waiting process or a new one. */
  readonly processFor: (file: string, kind: ProbeKind) => FfprobeProcess
}

/**
 * Facts of a file as FFmpeg finds them, each probe sandboxed and at most 30 s long: a file alone
 * can attack a decoder. A probe that fails leaves fields null.
 */
export async function probe(deps: ProbeDeps, request: Probe): Promise<Probed> {
  const { type, id, path, depth } = { ...request, type: 'probed' as const }
  const file = resolve(deps.work, path)
  const fileName = basename(file)
  // The file has a hole between its ends, so counts of packets over it would be wrong.
  const whole = depth === 'record'
  const [{ report, frameTimes }, early] = await Promise.all([
    readReportAndTimes(deps, file, depth !== 'duration'),
    whole && isReadWhole(file) ? readPackets(deps, file) : null,
  ])
  const picture = depth === 'duration' ? null : pictureIn(file, report)
  if (report === null || (picture === null && isNamedPicture(report))) {
    // A JPEG that FFmpeg does not know by its content is broken.
    const isKnown = picture !== null && picture.size !== null
    const facts = isKnown ? pictureFacts(picture) : unreadableFacts(fileName, isZip(file))
    return { type, id, streams: null, videoTag: null, facts }
  }
  const without = whole ? readingFile(file, (read) => withoutEstimates(report, read)) : null
  const isNeeded = whole && needsPackets(without ?? report, frameTimes)
  const packets = isNeeded ? (early ?? (await readPackets(deps, file))) : null
  const known = without === null ? report : withCounted(report, without, packets)
  const facts = mediaFacts({ fileName, report: known, frameTimes, packets, picture })
  const videoTag = report.streams.find(({ kind }) => kind === 'video')?.tag ?? null
  return { type, id, streams: report.streams.length, videoTag, facts }
}

function pictureIn(file: string, report: ProbeReport | null): ShownPicture | null {
  return report === null || isImageFormat(report) ? readingFile(file, shownPicture) : null
}

/** The probes that a record of the file will most likely need. */
export function recordProbes(file: string): readonly ProbeKind[] {
  const sums = statesNoRates.test(file) || isReadWhole(file) ? [allPackets] : []
  return reportsAllAtOnce(file) ? [reportWithPackets, ...sums] : [plainReport, videoTimes, ...sums]
}

/** Matroska and MPEG-TS, which do not store the bit rates of their streams. */
const statesNoRates = /\.(mkv|webm|ts|m2ts|mts)$/i

/**
 * Their packets are read beside their report, not after it: a playlist states no rate of what it
 * names, and a bare sound no length.
 */
function isReadWhole(file: string): boolean {
  return isPlaylist.test(file) || statesNoLength.test(file)
}

const isPlaylist = /\.(m3u8|mpd)$/i

/**
 * The start of ffprobe costs more than its work: for a picture or a sound one probe is enough, for
 * a video with sound a second one runs concurrently.
 */
function reportsAllAtOnce(file: string): boolean {
  return /^(image|audio)\//.test(storedType(file).contentType)
}

async function readReportAndTimes(deps: ProbeDeps, file: string, withTimes: boolean) {
  if (withTimes && reportsAllAtOnce(file)) {
    const text = await readReport(deps, file, reportWithPackets)
    const report = text === null ? null : parseProbeReport(text)
    const frameTimes = text === null || report === null ? null : timesInReport(text, report)
    if (report !== null && frameTimes !== null) return { report, frameTimes }
  }
  const [text, frameTimes] = await Promise.all([
    readReport(deps, file, plainReport),
    withTimes ? readFrameTimes(deps, file, videoTimes) : null,
  ])
  const report = text === null ? null : parseProbeReport(text)
  const other = report === null ? null : trackBehindStill(report)
  if (!withTimes || other === null) return { report, frameTimes }
  return { report, frameTimes: await readFrameTimes(deps, file, timesOf(String(other))) }
}

async function readReport({ processFor }: ProbeDeps, file: string, kind: ProbeKind) {
  const parts: Buffer[] = []
  let bytes = 0
  const whole = await processFor(file, kind).at(file, (chunk) => {
    bytes += chunk.length
    if (bytes <= longestReport) parts.push(chunk)
  })
  return whole && bytes <= longestReport ? Buffer.concat(parts).toString('utf8') : null
}

/** ffprobe's output contains the file's metadata, whose length its author chooses. */
const longestReport = 8 * 1024 * 1024

async function readFrameTimes(
  { processFor }: ProbeDeps,
  file: string,
  kind: ProbeKind,
): Promise<readonly number[]> {
  const reader = createTimesReader()
  await processFor(file, kind).at(file, reader.push)
  return reader.times()
}

async function readPackets({ processFor }: ProbeDeps, file: string) {
  const summer = createPacketSummer()
  const whole = await processFor(file, allPackets).at(file, summer.push)
  return whole ? summer.sums() : null
}

const firstPackets = ['-read_intervals', `%+#${String(mostTimes)}`]

const plainReport: ProbeKind = {
  argv: ['-show_error', '-print_format', 'json', '-show_format', '-show_streams'],
  gentle: true,
}

const reportWithPackets: ProbeKind = {
  argv: [...plainReport.argv, ...firstPackets, '-show_entries', 'packet=stream_index,pts'],
  gentle: true,
}

const videoTimes = timesOf('V:0')

function timesOf(stream: string): ProbeKind {
  return {
    argv: [
      '-select_streams',
      stream,
      ...firstPackets,
      '-show_entries',
      'packet=pts',
      '-print_format',
      'compact=p=0:nk=1',
    ],
    gentle: true,
  }
}

/** Runs at normal priority: reading a whole file in FFmpeg's idle time takes too long. */
const allPackets: ProbeKind = {
  argv: [
    '-show_entries',
    'packet=stream_index,pts_time,dts_time,duration_time,size',
    '-print_format',
    'compact=p=0',
  ],
  gentle: false,
}

function isZip(file: string): boolean {
  return readingFile(file, (read) => read(0, zipMagic.length).equals(zipMagic)) ?? false
}

const zipMagic = Buffer.from('PK\u0003\u0004', 'latin1')
