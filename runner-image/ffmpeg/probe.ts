import { open } from 'node:fs/promises'
import { constants } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Clock } from '../../common/effects.ts'
import type { Probe, Probed } from '../link/messages.ts'
import { startFenced } from './fenced-process.ts'
import { storedType } from '../../common/stored-type.ts'
import { parseProbeReport, timesInReport } from './ffprobe-report.ts'
import { createTimesReader, mostTimes } from './frame-times.ts'
import { mediaFacts, needsPackets, unreadableFacts } from './media-facts.ts'
import { createPacketSummer } from './packet-sums.ts'
import type { Sandbox } from './sandbox.ts'

export interface ProbeDeps {
  readonly clock: Clock
  readonly sandbox: Sandbox
  /** Largest picture that FFmpeg may decode. */
  readonly maxPixels: number
  readonly signal: AbortSignal
}

/**
 * What FFmpeg finds in a file, each look at it behind the fence and at most 30 s long: a decoder
 * can be attacked by the file alone. A look that fails leaves fields null.
 */
export async function probe(deps: ProbeDeps, request: Probe): Promise<Probed> {
  const { type, id, path, depth } = { ...request, type: 'probed' as const }
  // absolute, so that no name is taken for an option or a protocol
  const file = resolve(deps.sandbox.folders.work, path)
  const fileName = basename(file)
  const { report, frameTimes } = await readReportAndTimes(deps, file, depth !== 'duration')
  if (report === null) {
    return { type, id, streams: null, facts: unreadableFacts(fileName, await isZip(file)) }
  }
  // What lies between the ends is a hole, and packets counted over it would be made up.
  const whole = depth === 'record'
  const packets = whole && needsPackets(report, frameTimes) ? await readPackets(deps, file) : null
  const facts = mediaFacts({ fileName, report, frameTimes, packets })
  return { type, id, streams: report.streams.length, facts }
}

/**
 * The start of ffprobe costs more than what it does: of a picture or a sound one look tells all,
 * of a video with sound a second one goes side by side with it.
 */
async function readReportAndTimes(deps: ProbeDeps, file: string, withTimes: boolean) {
  if (withTimes && /^(image|audio)\//.test(storedType(file).contentType)) {
    const text = await readReport(deps, file, firstPackets)
    const report = text === null ? null : parseProbeReport(text)
    const frameTimes = text === null || report === null ? null : timesInReport(text, report)
    if (report !== null && frameTimes !== null) return { report, frameTimes }
  }
  const [text, frameTimes] = await Promise.all([
    readReport(deps, file, []),
    withTimes ? readFrameTimes(deps, file) : null,
  ])
  return { report: text === null ? null : parseProbeReport(text), frameTimes }
}

async function readReport(deps: ProbeDeps, file: string, more: readonly string[]) {
  const parts: Buffer[] = []
  let bytes = 0
  const argv = ['-show_error', '-print_format', 'json', '-show_format', '-show_streams', ...more]
  const whole = await look(deps, file, argv, (chunk) => {
    bytes += chunk.length
    if (bytes <= longestReport) parts.push(chunk)
  })
  return whole && bytes <= longestReport ? Buffer.concat(parts).toString('utf8') : null
}

/** Metadata of a file is repeated in it, and can be as long as its author likes. */
const longestReport = 8 * 1024 * 1024

async function readFrameTimes(deps: ProbeDeps, file: string): Promise<readonly number[]> {
  const reader = createTimesReader()
  const argv = ['-select_streams', 'V:0', '-read_intervals', `%+#${String(mostTimes)}`]
  const entries = ['-show_entries', 'packet=pts', '-print_format', 'compact=p=0:nk=1']
  await look(deps, file, [...argv, ...entries], reader.push)
  return reader.times()
}

const firstPackets = [
  ...['-read_intervals', `%+#${String(mostTimes)}`],
  ...['-show_entries', 'packet=stream_index,pts'],
]

async function readPackets(deps: ProbeDeps, file: string) {
  const summer = createPacketSummer()
  const entries = 'packet=stream_index,pts_time,duration_time,size'
  const argv = ['-show_entries', entries, '-print_format', 'compact=p=0']
  const whole = await look(deps, file, argv, summer.push, 'whole')
  return whole ? summer.sums() : null
}

/** @returns whether ffprobe ended by itself and without an error */
async function look(
  { clock, sandbox, maxPixels, signal }: ProbeDeps,
  file: string,
  argv: readonly string[],
  onStdout: (chunk: Buffer) => void,
  what: 'start' | 'whole' = 'start',
): Promise<boolean> {
  signal.throwIfAborted()
  const reading = ['-max_pixels', String(maxPixels), '-protocol_whitelist', 'file,crypto,data']
  const running = startFenced(
    clock,
    sandbox,
    {
      program: 'ffprobe',
      argv: ['-hide_banner', '-v', 'error', ...argv, ...reading, '-i', file],
      fileBytes: 0,
    },
    { onStdout },
  )
  // The next step must not wait for it; a whole file, read in what FFmpeg leaves over, takes too long.
  if (what === 'start') running.giveWay()
  const kill = (): void => running.signal('SIGKILL')
  const cancel = clock.schedule(longestLookMs, kill)
  signal.addEventListener('abort', kill, { once: true })
  const { code } = await running.ended
  signal.removeEventListener('abort', kill)
  cancel()
  return code === 0
}

const longestLookMs = 30_000

async function isZip(file: string): Promise<boolean> {
  try {
    // a pipe in the working folder would hold an ordinary open forever
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    await using handle = await open(file, flags)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.equals(zipMagic)
  } catch {
    // absent, a link or no file at all: `transfer` says so, by its own look at the path
    return false
  }
}

const zipMagic = Buffer.from('PK\u0003\u0004', 'latin1')
