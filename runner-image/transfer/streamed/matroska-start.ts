import { longestStart } from './start.ts'
import type { ContainerStart } from './start.ts'

/**
 * Whether a Matroska or WebM file (RFC 9559) can be read once: everything that its directory names
 * stands before the media, but for the index of seek positions. Programs other than FFmpeg often
 * write tags after the media; from a pipe they would be missing in the output.
 */
export function matroskaStart(start: Buffer): ContainerStart {
  const header = elementAt(start, 0)
  const segment = header === null ? null : elementAt(start, header.end)
  if (segment?.id !== ids.segment) return { kind: 'whole' }
  /** The furthest place that a directory names, but that of the cues. */
  let furthest: number | null = null
  let offset = segment.start
  // Millions of empty elements would block the event loop.
  for (let elements = 0; elements < mostElements; elements++) {
    if (offset + longestHeader > longestStart) return { kind: 'whole' }
    if (offset + longestHeader > start.length)
      return { kind: 'more', bytes: offset + longestHeader }
    const element = elementAt(start, offset)
    if (element === null || element.end <= offset) return { kind: 'whole' }
    if (element.id === ids.cluster) {
      const isInFront = furthest !== null && segment.start + furthest < offset
      return isInFront ? { kind: 'streamed', seconds: null } : { kind: 'whole' }
    }
    if (element.id === ids.directory) {
      const isLong = element.end - element.start > longestDirectory
      if (isLong || element.end > longestStart) return { kind: 'whole' }
      if (element.end > start.length) return { kind: 'more', bytes: element.end }
      const place = furthestIn(start, element)
      if (place === null) return { kind: 'whole' }
      furthest = Math.max(furthest ?? 0, place)
    }
    offset = element.end
  }
  return { kind: 'whole' }
}

/** Before the first cluster; files that FFmpeg and mkvmerge write have ten. */
const mostElements = 1000
/** Size of three thousand entries; a longer directory is an attack on memory. */
const longestDirectory = 64 * 1024

interface Element {
  readonly id: number
  /** Offset of its content. */
  readonly start: number
  readonly end: number
}

const ids = {
  segment: 0x18538067,
  directory: 0x114d9b74,
  entry: 0x4dbb,
  entryId: 0x53ab,
  entryPlace: 0x53ac,
  cues: 0x1c53bb6b,
  cluster: 0x1f43b675,
} as const

const longestHeader = 12

/** Offset in the segment; 0 where only the cues are named, null if an entry cannot be read. */
function furthestIn(bytes: Buffer, directory: Element): number | null {
  let furthest = 0
  for (const entry of childrenOf(bytes, directory)) {
    if (entry.id !== ids.entry) continue
    const fields = childrenOf(bytes, entry)
    const id = fields.find((field) => field.id === ids.entryId)
    const place = fields.find((field) => field.id === ids.entryPlace)
    if (id === undefined || place === undefined) return null
    if (unsignedIn(bytes, id) !== ids.cues) furthest = Math.max(furthest, unsignedIn(bytes, place))
  }
  return furthest
}

function childrenOf(bytes: Buffer, parent: Element): Element[] {
  const children: Element[] = []
  for (let offset = parent.start; offset < parent.end;) {
    const child = elementAt(bytes, offset)
    if (child === null || child.end > parent.end || child.end <= offset) break
    children.push(child)
    offset = child.end
  }
  return children
}

function unsignedIn(bytes: Buffer, { start, end }: Element): number {
  return bytes.subarray(start, end).reduce((sum, byte) => sum * 256 + byte, 0)
}

/** EBML (RFC 8794): an id and a length of varying size. An element of unknown length has no end. */
function elementAt(bytes: Buffer, offset: number): Element | null {
  const idLength = sizeOfNumber(bytes[offset])
  if (idLength === null || idLength > 4) return null
  const at = offset + idLength
  const lengthLength = sizeOfNumber(bytes[at])
  if (lengthLength === null || at + lengthLength > bytes.length) return null
  const id = unsignedIn(bytes, { id: 0, start: offset, end: at })
  // The bit that marks the number's size goes first: with it, eight bytes would not fit a number.
  const largest = 2 ** (8 - lengthLength) - 1
  const high = (bytes[at] ?? 0) & largest
  const low = unsignedIn(bytes, { id: 0, start: at + 1, end: at + lengthLength })
  const length = high * 256 ** (lengthLength - 1) + low
  const start = at + lengthLength
  const isUnknown = high === largest && low === 256 ** (lengthLength - 1) - 1
  return { id, start, end: isUnknown ? Infinity : start + length }
}

function sizeOfNumber(first: number | undefined): number | null {
  return first === undefined || first === 0 ? null : Math.clz32(first) - 23
}
