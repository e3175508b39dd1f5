import type { StepPlan } from '../../../common/command-line/model/plan.ts'
import type { HeifItem, PictureChange } from '../../contents/heif-item.ts'

/**
 * Arguments that make one picture of the tiles of a HEIC or AVIF, turned as it is shown. FFmpeg 7.1
 * reads each tile as a stream of its own, numbered by its item, and none of what turns the picture.
 */
export function tileGraphArgv(item: HeifItem, source: string, target: string): string[] {
  const { tiles, tile, size, changes } = item
  const columns = Math.ceil(size.width / tile.width)
  const places = tiles.map((_, index) => {
    const row = Math.floor(index / columns)
    return `${(index % columns) * tile.width}_${row * tile.height}`
  })
  const graph = [
    `xstack=inputs=${tiles.length}:layout=${places.join('|')}`,
    crop({ ...size, left: 0, top: 0 }),
    ...changes.flatMap(filtersOf),
  ]
  return [
    '-hide_banner',
    '-nostdin',
    '-y',
    '-loglevel',
    'level+error',
    '-nostats',
    // Each tile has a decoder of its own: more threads would only take memory.
    '-threads',
    '1',
    '-i',
    source,
    '-filter_complex',
    tiles.map((id) => `[0:i:${id}]`).join('') + graph.join(','),
    '-frames:v',
    '1',
    '-c:v',
    'png',
    '-compression_level',
    '1',
    '-f',
    'image2',
    '-update',
    '1',
    target,
  ]
}

/** Whether the tiles cover the picture in rows, as phones write them. */
export function isGrid({ tiles, tile, size }: HeifItem): boolean {
  const columns = Math.ceil(size.width / tile.width)
  const rows = Math.ceil(size.height / tile.height)
  return tiles.length > 1 && tiles.length === columns * rows
}

/** Whether a command counts on the streams of the file itself: it may join the tiles by itself. */
export function needsStreams({ groups }: StepPlan, input: string): boolean {
  return groups.some(({ kind, alias, format, options }) => {
    const isRead = kind === 'input' && alias === input
    if (isRead && format !== null) return true
    return options.some(({ name, value }) => {
      if (isRead && decoders.has(name)) return true
      const text = (value ?? []).map((part) => (typeof part === 'string' ? part : '')).join('')
      return name === 'map' ? numbered.test(text) : graphs.has(name) && numberedPad.test(text)
    })
  })
}

const decoders: ReadonlySet<string> = new Set(['c', 'codec', 'vcodec'])
const graphs: ReadonlySet<string> = new Set(['filter_complex', 'lavfi'])
const numbered = /^-?\d+:(?:v:|i:|#)?[1-9]/
const numberedPad = /\[\d+:(?:v:|i:|#)?[1-9]/

function filtersOf(change: PictureChange): string[] {
  switch (change.kind) {
    case 'crop':
      return [crop(change)]
    case 'mirror':
      return [change.axis === 'horizontal' ? 'hflip' : 'vflip']
    case 'turn':
      return Array.from({ length: change.quarters }, () => 'transpose=cclock')
  }
}

interface Area {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

/** `exact`: a picture of an odd width or height keeps it. */
function crop({ width, height, left, top }: Area): string {
  return `crop=${width}:${height}:${left}:${top}:exact=1`
}
