import type { ContainerStart } from './container-start.ts'

/** What stands before the first cluster, with a font or two attached. */
const longestHead = 32 * 1024 * 1024

/**
 * Whether a Matroska or WebM file (RFC 9559) can be read once: everything that its directory names
 * stands before the media, but for the index of places to seek to. Programs other than FFmpeg like
 * to write tags behind the media; from a pipe they would be missing in the output.
 */
export function matroskaStart(start: Buffer): ContainerStart {
  const header = elementAt(start, 0)
  const segment = header === null ? null : elementAt(start, header.end)
  if (segment?.id !== ids.segment) return { kind: 'whole' }
  let named: number[] | null = null
  for (let offset = segment.start; ;) {
    if (offset > longestHead) return { kind: 'whole' }
    if (offset + longestHeader > start.length)
      return { kind: 'more', bytes: offset + longestHeader }
    const element = elementAt(start, offset)
    if (element === null || element.end <= offset) return { kind: 'whole' }
    if (element.id === ids.cluster) {
      const isInFront = named?.every((place) => segment.start + place < offset) ?? false
      return isInFront ? { kind: 'streamed', seconds: null } : { kind: 'whole' }
    }
    if (element.id === ids.directory) {
      if (element.end > start.length) return { kind: 'more', bytes: element.end }
      const entries = entriesOf(start, element)
      if (entries === null) return { kind: 'whole' }
      named = [...(named ?? []), ...entries]
    }
    offset = element.end
  }
}

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

/** Offsets in the segment of all that is named, but the cues; null where one cannot be read. */
function entriesOf(bytes: Buffer, directory: Element): number[] | null {
  const places: number[] = []
  for (const entry of childrenOf(bytes, directory)) {
    if (entry.id !== ids.entry) continue
    const fields = childrenOf(bytes, entry)
    const id = fields.find((field) => field.id === ids.entryId)
    const place = fields.find((field) => field.id === ids.entryPlace)
    if (id === undefined || place === undefined) return null
    if (unsignedIn(bytes, id) !== ids.cues) places.push(unsignedIn(bytes, place))
  }
  return places
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

/** EBML (RFC 8794): an id and a length of varying size. An unknown length ends nowhere. */
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
