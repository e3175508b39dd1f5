import { boxesIn } from '../../runner-image/contents/mp4-boxes.ts'

/** A coded picture, as an MP4 of FFmpeg with one frame holds it. */
export interface CodedPicture {
  /** The property `hvcC` or `av1C`, with its header. */
  readonly configuration: Buffer
  readonly bytes: Buffer
}

export interface ComposedHeif {
  readonly brand: 'heic' | 'avif'
  /** Tiles from left to right and from top to bottom; one alone is the picture itself. */
  readonly pictures: readonly CodedPicture[]
  readonly columns: number
  readonly tile: readonly [width: number, height: number]
  /** The grid: what lies beyond is not shown. */
  readonly size: readonly [width: number, height: number]
  /** `irot`, `imir` and `clap`, in their order. */
  readonly changes?: readonly Buffer[]
}

/** @param mp4 one frame, made by FFmpeg with libx265 or an encoder of AV1 */
export function codedPicture(mp4: Buffer): CodedPicture {
  const at = [mp4.indexOf('hvcC'), mp4.indexOf('av1C')].find((found) => found > 0) ?? 0
  const configuration = mp4.subarray(at - 4, at - 4 + mp4.readUInt32BE(at - 4))
  const media = [...boxesIn(mp4, 0, mp4.length)].find(({ type }) => type === 'mdat')
  if (at === 0 || media === undefined) throw new Error('not an MP4 of HEVC or AV1')
  return { configuration, bytes: mp4.subarray(media.start, media.end) }
}

/** A file as phones write it: their 12 megapixels are 48 tiles of 512 by 512, cropped and turned. */
export function composeHeif(heif: ComposedHeif): Buffer {
  const { brand, pictures, columns, tile, size, changes = [] } = heif
  const codec = brand === 'heic' ? 'hvc1' : 'av01'
  const isGrid = pictures.length > 1
  const ids = pictures.map((_, index) => index + 1)
  const gridId = pictures.length + 1
  const grid = Buffer.from([
    0,
    0,
    pictures.length / columns - 1,
    columns - 1,
    ...u16(size[0]),
    ...u16(size[1]),
  ])
  // An index of a property has seven bits, and tiles of one encoder are configured alike.
  const texts = pictures.map(({ configuration }) => configuration.toString('latin1'))
  const configurations = [...new Set(texts)].map((text) => Buffer.from(text, 'latin1'))
  const configured = (id: number) => [...new Set(texts)].indexOf(texts[id - 1] ?? '') + 1
  const properties = [...configurations, ispe(tile), ispe(size), ...changes]
  const shared = configurations.length + 1
  const last = changes.map((_, index) => shared + 2 + index)
  const associations = ids.map((id) => ({
    id,
    indexes: [configured(id), shared, ...(isGrid ? [] : last)],
  }))
  if (isGrid) associations.push({ id: gridId, indexes: [shared + 1, ...last] })
  const meta = (first: number): Buffer =>
    full('meta', 0, [
      full('hdlr', 0, [zeros(4), Buffer.from('pict'), zeros(13)]),
      full('pitm', 0, [u16(isGrid ? gridId : 1)]),
      iloc(pictures, first, isGrid ? { id: gridId, bytes: grid.length } : null),
      full('iinf', 0, [
        u16(isGrid ? gridId : 1),
        ...ids.map((id) => infe(id, codec)),
        ...(isGrid ? [infe(gridId, 'grid')] : []),
      ]),
      ...(isGrid
        ? [full('iref', 0, [box('dimg', [u16(gridId), u16(ids.length), ...ids.map(u16)])])]
        : []),
      box('iprp', [
        box('ipco', properties),
        full('ipma', 0, [
          u32(associations.length),
          ...associations.map(({ id, indexes }) => [...u16(id), indexes.length, ...indexes]),
        ]),
      ]),
      ...(isGrid ? [box('idat', [grid])] : []),
    ])
  const type = box('ftyp', [Buffer.from(brand), zeros(4), Buffer.from(`mif1${brand}miaf`)])
  const start = type.length + meta(0).length + 8
  const media = box(
    'mdat',
    pictures.map(({ bytes }) => bytes),
  )
  return Buffer.concat([type, meta(start), media])
}

/** A moving picture: the tracks of an MP4 behind a still one. */
export function withTracks(still: Buffer, mp4: Buffer): Buffer {
  const [type] = boxesIn(mp4, 0, mp4.length)
  const rest = Buffer.from(mp4.subarray(type?.end ?? 0))
  const moved = still.length - (type?.end ?? 0)
  for (let at = rest.indexOf('stco'); at !== -1; at = rest.indexOf('stco', at + 4)) {
    for (let entry = 0; entry < rest.readUInt32BE(at + 8); entry++) {
      const offset = at + 12 + entry * 4
      rest.writeUInt32BE(rest.readUInt32BE(offset) + moved, offset)
    }
  }
  return Buffer.concat([still, rest])
}

/** Counterclockwise. */
export function irot(quarters: number): Buffer {
  return box('irot', [[quarters]])
}

/** Around the middle. */
export function clap(width: number, height: number): Buffer {
  return box('clap', [width, 1, height, 1, 0, 1, 0, 1].map(u32))
}

function box(type: string, parts: readonly (Buffer | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from(u32(content.length + 8)), Buffer.from(type, 'latin1'), content])
}

function full(
  type: string,
  version: number,
  parts: readonly (Buffer | readonly number[])[],
): Buffer {
  return box(type, [[version, 0, 0, 0], ...parts])
}

function ispe([width, height]: readonly [number, number]): Buffer {
  return full('ispe', 0, [u32(width), u32(height)])
}

function infe(id: number, type: string): Buffer {
  return full('infe', 2, [u16(id), zeros(2), Buffer.from(type), zeros(1)])
}

/** Offsets and lengths of four bytes; the grid itself lies in `idat`. */
function iloc(
  pictures: readonly CodedPicture[],
  first: number,
  grid: { readonly id: number; readonly bytes: number } | null,
): Buffer {
  let offset = first
  const entries = pictures.map(({ bytes }, index) => {
    const entry = [
      ...u16(index + 1),
      ...u16(0),
      ...u16(0),
      ...u16(1),
      ...u32(offset),
      ...u32(bytes.length),
    ]
    offset += bytes.length
    return entry
  })
  if (grid !== null) {
    entries.push([...u16(grid.id), ...u16(1), ...u16(0), ...u16(1), ...u32(0), ...u32(grid.bytes)])
  }
  return full('iloc', 1, [[0x44, 0], u16(entries.length), ...entries])
}

function zeros(count: number): Buffer {
  return Buffer.alloc(count)
}

function u16(value: number): number[] {
  return [value >> 8, value & 0xff]
}

function u32(value: number): number[] {
  return [...u16(value >>> 16), ...u16(value & 0xffff)]
}
