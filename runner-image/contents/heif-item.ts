import { boxesIn, boxesWithin } from './mp4-boxes.ts'
import type { Mp4Box } from './mp4-boxes.ts'
import type { ReadBytes } from './read-bytes.ts'

/** The picture that a HEIC or AVIF file shows: its primary item (ISO/IEC 23008-12). */
export interface HeifItem {
  /** Items of the tiles, from left to right and from top to bottom; empty where the picture is one. */
  readonly tiles: readonly number[]
  readonly tile: PictureSize
  /** Before `changes`. */
  readonly size: PictureSize
  /** The changes apply in this order. */
  readonly changes: readonly PictureChange[]
}

export interface PictureSize {
  readonly width: number
  readonly height: number
}

export type PictureChange =
  | (PictureSize & { readonly kind: 'crop'; readonly left: number; readonly top: number })
  | { readonly kind: 'turn'; /** Counterclockwise, 0 to 3. */ readonly quarters: number }
  | { readonly kind: 'mirror'; readonly axis: 'vertical' | 'horizontal' }

/** @returns null if it is another file, or one without a size */
export function heifItem(read: ReadBytes): HeifItem | null {
  const meta = topLevelMeta(read)
  if (meta === null) return null
  const boxes = fullBox(meta, { type: 'meta', start: 0, end: meta.length })
  const first = (type: string) => boxes.find((box) => box.type === type)
  const primary = first('pitm')
  const properties = first('iprp')
  if (primary === undefined || properties === undefined) return null
  const id = idAt(meta, primary.start, primary.start + 4)
  const propertiesOf = readProperties(meta, properties)
  const own = propertiesOf(id)
  const size = own.map((box) => sizeIn(meta, box)).find((found) => found !== null)
  if (size === undefined) return null
  const references = first('iref')
  const tiles = references === undefined ? [] : derivedFrom(meta, references, id)
  const ofTile = tiles.slice(0, 1).flatMap(propertiesOf)
  const tile = ofTile.map((box) => sizeIn(meta, box)).find((found) => found !== null) ?? size
  return { tiles, tile, size, changes: changesIn(meta, own, size) }
}

/** The content of the file's first `meta` box: behind `ftyp`, as every writer has it. */
function topLevelMeta(read: ReadBytes): Buffer | null {
  let offset = 0
  for (let count = 0; count < mostTopLevel; count++) {
    const header = read(offset, 16)
    const [box] = boxesIn(header, 0, header.length)
    if (box === undefined || (count === 0 && box.type !== 'ftyp')) return null
    if (box.type === 'meta') return read(offset + box.start, box.end - box.start)
    offset += box.end
  }
  return null
}

const mostTopLevel = 16

/** The boxes in one that begins with a version and flags. */
function fullBox(bytes: Buffer, { type, start, end }: Mp4Box): Mp4Box[] {
  return boxesWithin(bytes, { type, start: start + 4, end }) ?? []
}

/** A version above 0 of the surrounding box has ids of four bytes. */
function idAt(bytes: Buffer, versionAt: number, at: number): number {
  return idBytes(bytes, versionAt) === 4 ? u32(bytes, at) : u16(bytes, at)
}

function idBytes(bytes: Buffer, versionAt: number): 2 | 4 {
  return u8(bytes, versionAt) === 0 ? 2 : 4
}

/** @returns the properties of an item, in their order */
function readProperties(meta: Buffer, properties: Mp4Box): (id: number) => Mp4Box[] {
  const parts = boxesWithin(meta, properties) ?? []
  const container = parts.find(({ type }) => type === 'ipco')
  const all = container === undefined ? [] : (boxesWithin(meta, container) ?? [])
  const found = new Map<number, Mp4Box[]>()
  for (const { start, end } of parts.filter(({ type }) => type === 'ipma')) {
    const isWide = (u8(meta, start + 3) & 1) === 1
    let at = start + 8
    for (let entry = u32(meta, start + 4); entry > 0 && at < end; entry--) {
      const id = idAt(meta, start, at)
      at += idBytes(meta, start)
      const count = u8(meta, at)
      at += 1
      const indexes = Array.from({ length: count }, (_, index) =>
        isWide ? u16(meta, at + index * 2) & 0x7fff : u8(meta, at + index) & 0x7f,
      )
      at += count * (isWide ? 2 : 1)
      found.set(
        id,
        indexes.flatMap((index) => all[index - 1] ?? []),
      )
    }
  }
  return (id) => found.get(id) ?? []
}

/** The items that this one is put together of: the tiles of a grid. */
function derivedFrom(meta: Buffer, references: Mp4Box, id: number): number[] {
  const bytes = idBytes(meta, references.start)
  for (const { type, start } of fullBox(meta, references)) {
    if (type !== 'dimg' || idAt(meta, references.start, start) !== id) continue
    const count = Math.min(u16(meta, start + bytes), mostTiles)
    const first = start + bytes + 2
    return Array.from({ length: count }, (_, index) =>
      idAt(meta, references.start, first + index * bytes),
    )
  }
  return []
}

/** A grid has at most 256 rows and columns; 200 megapixels in tiles of 512 are 800. */
const mostTiles = 65_535

function sizeIn(meta: Buffer, { type, start }: Mp4Box): PictureSize | null {
  if (type !== 'ispe') return null
  const [width, height] = [u32(meta, start + 4), u32(meta, start + 8)]
  return width > 0 && height > 0 ? { width, height } : null
}

function changesIn(meta: Buffer, own: readonly Mp4Box[], whole: PictureSize): PictureChange[] {
  const changes: PictureChange[] = []
  let size = whole
  for (const { type, start } of own) {
    if (type === 'irot') {
      const quarters = u8(meta, start) & 3
      changes.push({ kind: 'turn', quarters })
      if (quarters % 2 === 1) size = { width: size.height, height: size.width }
    } else if (type === 'imir') {
      changes.push({
        kind: 'mirror',
        axis: (u8(meta, start) & 1) === 1 ? 'horizontal' : 'vertical',
      })
    } else if (type === 'clap') {
      const crop = cleanAperture(meta, start, size)
      if (crop !== null) changes.push(crop)
      size = crop ?? size
    }
  }
  return changes
}

/** Width, height and the distance of the two centres, each as a fraction (ISO/IEC 14496-12, 12.1.4). */
function cleanAperture(meta: Buffer, start: number, size: PictureSize) {
  const fraction = (at: number) => i32(meta, start + at) / u32(meta, start + at + 4)
  const [width, height] = [Math.round(fraction(0)), Math.round(fraction(8))]
  const left = Math.floor((size.width - width) / 2 + fraction(16))
  const top = Math.floor((size.height - height) / 2 + fraction(24))
  const fits = left >= 0 && top >= 0 && left + width <= size.width && top + height <= size.height
  return fits && width > 0 && height > 0
    ? { kind: 'crop' as const, width, height, left, top }
    : null
}

function u8(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0
}

function u16(bytes: Buffer, at: number): number {
  return at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0
}

function u32(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0
}

function i32(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readInt32BE(at) : 0
}
