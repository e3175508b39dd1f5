import { expandTemplate } from './dash-template.ts'
import {
  invalidManifest,
  mostSegments,
  tooManySegments,
  urlOf,
  wholeNumber,
} from './manifest-failure.ts'
import { childOf, childrenOf } from './read-xml.ts'
import type { XmlElement } from './read-xml.ts'
import { segmentTimes } from './segment-times.ts'

/** A file, or a range of its bytes. */
export interface Piece {
  readonly url: URL
  /** First and last byte; null: the whole file. */
  readonly range: readonly [number, number] | null
}

export interface Segments {
  /** The pieces are one file in this order: the first part of the stream, and its segments. */
  readonly pieces: readonly Piece[]
  /** The last one may be missing: its count follows from a duration that is longer than this stream. */
  readonly isCounted: boolean
}

export interface SegmentSource {
  /** Elements from the period down to the representation: a lower one overrides. */
  readonly levels: readonly XmlElement[]
  readonly base: URL
  readonly id: string
  readonly bandwidth: string
  /** Length of the period; null: the manifest does not say. */
  readonly seconds: number | null
}

/** @throws Failure */
export function segmentsOf(source: SegmentSource): Segments {
  const template = inherited(source.levels, 'SegmentTemplate')
  if (template !== undefined) return ofTemplate(template, source)
  const list = inherited(source.levels, 'SegmentList')
  const whole: Piece = { url: source.base, range: null }
  const media = list === undefined ? [whole] : listed(list, source)
  const start = initialization(list ?? inherited(source.levels, 'SegmentBase'), source)
  const pieces = [...start, ...media]
  // One file in which the ranges follow each other, and FFmpeg reads it as it is.
  const isOneFile = pieces.every(({ url }) => url.href === pieces[0]?.url.href)
  return { pieces: isOneFile ? pieces.slice(0, 1).map(wholeFile) : pieces, isCounted: false }
}

function wholeFile({ url }: Piece): Piece {
  return { url, range: null }
}

/** One element with the attributes and children of all levels. */
function inherited(levels: readonly XmlElement[], name: string): XmlElement | undefined {
  const found = levels.flatMap((level) => childOf(level, name) ?? [])
  if (found.length === 0) return undefined
  const attributes: Record<string, string> = {}
  for (const level of found) Object.assign(attributes, level.attributes)
  // The first child of a kind is read.
  return { name, text: '', attributes, children: found.toReversed().flatMap((one) => one.children) }
}

function ofTemplate(template: XmlElement, source: SegmentSource): Segments {
  const { base, id, bandwidth, seconds } = source
  const { media, initialization: first, startNumber = '1' } = template.attributes
  if (media === undefined) throw invalidManifest('has a SegmentTemplate without media')
  const { starts, isCounted } = segmentTimes(template, seconds)
  const firstNumber = wholeNumber(startNumber, 'startNumber')
  const segments = starts.map((time, index) => {
    const number = firstNumber + BigInt(index)
    return { url: urlOf(expandTemplate(media, { id, bandwidth, number, time }), base), range: null }
  })
  const start =
    first === undefined
      ? initialization(template, source)
      : [{ url: urlOf(expandTemplate(first, { id, bandwidth }), base), range: null }]
  return { pieces: [...start, ...segments], isCounted }
}

function listed(list: XmlElement, { base }: SegmentSource): Piece[] {
  const segments = childrenOf(list, 'SegmentURL')
  if (segments.length > mostSegments) throw tooManySegments()
  return segments.map(({ attributes }) =>
    piece(attributes['media'], attributes['mediaRange'], base),
  )
}

function initialization(parent: XmlElement | undefined, { base }: SegmentSource): Piece[] {
  const found = parent === undefined ? [] : childrenOf(parent, 'Initialization').slice(0, 1)
  return found.map(({ attributes }) => piece(attributes['sourceURL'], attributes['range'], base))
}

function piece(uri: string | undefined, range: string | undefined, base: URL): Piece {
  const url = uri === undefined ? base : urlOf(uri, base)
  if (range === undefined) return { url, range: null }
  const [, first, last] = /^(\d{1,15})-(\d{1,15})$/.exec(range) ?? []
  if (first !== undefined && last !== undefined)
    return { url, range: [Number(first), Number(last)] }
  throw invalidManifest(`has '${range.slice(0, 40)}' as a range of bytes`)
}
