import { boxesIn, boxesWithin } from '../../contents/mp4-boxes.ts'
import type { Mp4Box } from '../../contents/mp4-boxes.ts'
import { longestStart } from './start.ts'
import type { ContainerStart } from './start.ts'

/**
 * Whether an MP4 or QuickTime file (ISO/IEC 14496-12) can be read once: its index stands before the
 * media, and nothing in it refers to another place. FFmpeg follows chapters, time codes and
 * fragments by seeking; from a pipe it leaves them out without a message.
 */
export function mp4Start(start: Buffer): ContainerStart {
  let boxes = 0
  for (const box of boxesIn(start, 0, start.length)) {
    if (box.type === 'moov') return box.end > longestStart ? { kind: 'whole' } : indexStart(box)
    if (!beforeIndex.has(box.type)) return { kind: 'whole' }
    if (box.end + longestHeader > longestStart) return { kind: 'whole' }
    // Millions of empty ones would block the event loop.
    if (++boxes > mostBeforeIndex) return { kind: 'whole' }
    if (box.end + longestHeader > start.length) {
      return { kind: 'more', bytes: box.end + longestHeader }
    }
  }
  return { kind: 'whole' }

  function indexStart(moov: Mp4Box): ContainerStart {
    if (moov.end > start.length) return { kind: 'more', bytes: moov.end }
    const children = boxesWithin(start, moov) ?? []
    const tracks = children.filter(({ type }) => type === 'trak')
    const isPlain = children.every(({ type }) => inIndex.has(type))
    const header = children.find(({ type }) => type === 'mvhd')
    if (!isPlain || header === undefined || tracks.length === 0) return { kind: 'whole' }
    const places = tracks.map((track) => trackStart(start, track))
    const firsts = places.flatMap((place) => place ?? [])
    if (firsts.length < places.length) return { kind: 'whole' }
    const isInterleaved = Math.max(...firsts) - Math.min(...firsts) <= widestGap
    return isInterleaved
      ? { kind: 'streamed', seconds: duration(start, header) }
      : { kind: 'whole' }
  }
}

const longestHeader = 16
const mostBeforeIndex = 100
const beforeIndex: ReadonlySet<string> = new Set(['ftyp', 'free', 'skip', 'wide'])
const inIndex: ReadonlySet<string> = new Set(['mvhd', 'trak', 'udta', 'iods', 'meta', 'free'])
/**
 * Distance between the first bytes of two tracks. If one starts only after the end of the other,
 * FFmpeg would have to keep a whole track in memory until it can begin to write.
 */
const widestGap = 8 * 1024 * 1024

/** Offset of the track's first media; null if FFmpeg would have to seek for the track. */
function trackStart(bytes: Buffer, track: Mp4Box): number | null {
  const own = boxesWithin(bytes, track)
  if (own === null || own.some(({ type }) => type === 'tref')) return null
  const media = own.find(({ type }) => type === 'mdia')
  const handler = media && child(bytes, media, 'hdlr')
  const information = media && child(bytes, media, 'minf')
  const table = information && child(bytes, information, 'stbl')
  if (!handler || !table || handler.end - handler.start < 12) return null
  const kind = bytes.toString('latin1', handler.start + 8, handler.start + 12)
  if (!['vide', 'soun', 'sbtl'].includes(kind)) return null
  return firstChunk(bytes, table)
}

function firstChunk(bytes: Buffer, table: Mp4Box): number | null {
  const short = child(bytes, table, 'stco')
  if (short && short.end - short.start >= 12) return bytes.readUInt32BE(short.start + 8)
  const long = child(bytes, table, 'co64')
  if (long && long.end - long.start >= 16) return Number(bytes.readBigUInt64BE(long.start + 8))
  return null
}

function child(bytes: Buffer, parent: Mp4Box, type: string): Mp4Box | undefined {
  return boxesWithin(bytes, parent)?.find((box) => box.type === type)
}

/** Seconds by the movie header; null if it does not say. */
function duration(bytes: Buffer, { start, end }: Mp4Box): number | null {
  const isLong = bytes[start] === 1
  if (end - start < (isLong ? 32 : 20)) return null
  const scale = bytes.readUInt32BE(start + (isLong ? 20 : 12))
  const length = isLong ? Number(bytes.readBigUInt64BE(start + 24)) : bytes.readUInt32BE(start + 16)
  return scale === 0 || length === 0 ? null : length / scale
}
