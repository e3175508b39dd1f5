import { periodSeconds } from './duration.ts'
import { invalidManifest, mostSegments, tooManySegments, urlOf } from './manifest-failure.ts'
import { protectionOf } from './protection.ts'
import { childOf, childrenOf, readXml } from './read-xml.ts'
import type { XmlElement } from './read-xml.ts'
import { segmentsOf } from './dash-segments.ts'
import type { Segments } from './dash-segments.ts'

export interface Track {
  readonly kind: Kind
  /** Those of its representation and its adaptation set. */
  readonly attributes: Readonly<Record<string, string>>
  readonly segments: Segments
}

type Kind = 'video' | 'audio'

/** A part of the time of a manifest, with streams of its own. */
export interface Period {
  /** null: the manifest does not say. */
  readonly seconds: number | null
  readonly tracks: readonly Track[]
}

/** A representation before its segments are counted. */
interface Candidate {
  readonly kind: Kind
  readonly attributes: Readonly<Record<string, string>>
  readonly base: URL
  readonly levels: readonly XmlElement[]
  readonly protection: string | null
}

/** Whether a text is a DASH manifest: its root is an MPD. */
export function isManifest(text: string): boolean {
  return /<(?:\w+:)?MPD[\s>]/.test(text)
}

/**
 * Representations that FFmpeg would play of each period: the largest picture with its highest bandwidth,
 * and of each sound its highest bandwidth. Subtitles are left out: FFmpeg decodes none of those that DASH carries in MP4.
 * @param url of the manifest after redirects
 * @throws Failure for a live stream, for protection, and for what cannot be read
 */
export function readManifest(text: string, url: string): Period[] {
  const root = readXml(text)
  if (root.attributes['type'] === 'dynamic') {
    throw invalidManifest(
      'is of a live stream; send the manifest of its recording, or its HLS playlist with -t in front of -i',
    )
  }
  const base = baseOf(root, new URL(url))
  const elements = childrenOf(root, 'Period')
  const seconds = periodSeconds(root, elements)
  const room = { segments: mostSegments }
  const periods = elements.map((element, index) => {
    return readPeriod(element, baseOf(element, base), seconds[index] ?? null, room)
  })
  // Some are announced without streams.
  const played = periods.filter(({ tracks }) => tracks.length > 0)
  if (played.length === 0) throw invalidManifest('names no streams')
  return played
}

/** Segments that all streams may still name together. */
interface Room {
  segments: number
}

function readPeriod(element: XmlElement, base: URL, seconds: number | null, room: Room): Period {
  const elements = childrenOf(element, 'AdaptationSet')
  if ([element, ...elements].some(isElsewhere)) {
    throw invalidManifest('has parts in other files by xlink:href, which are not fetched')
  }
  const sets = elements.map((set) => candidates(set, element, base))
  const video = best(sets.flat().filter(({ kind }) => kind === 'video'))
  const audio = sets.map((set) => best(set.filter(({ kind }) => kind === 'audio')))
  const chosen = [video, ...audio].flatMap((one) => one ?? [])
  return { seconds, tracks: chosen.map((one) => trackOf(one, seconds, room)) }
}

/** One with this name is left out where it is not there. */
const nowhere = 'urn:mpeg:dash:resolve-to-zero:2013'

function isElsewhere({ attributes }: XmlElement): boolean {
  return (attributes['xlink:href'] ?? nowhere) !== nowhere
}

function candidates(set: XmlElement, period: XmlElement, periodBase: URL): Candidate[] {
  if (childrenOf(set, 'EssentialProperty').some(isTrickMode)) return []
  const base = baseOf(set, periodBase)
  return childrenOf(set, 'Representation').flatMap((representation) => {
    const attributes = { ...set.attributes, ...representation.attributes }
    const kind = kindOf(attributes, set)
    const levels = [period, set, representation]
    const protection = protectionOf(levels)
    return kind === null
      ? []
      : [{ kind, attributes, base: baseOf(representation, base), levels, protection }]
  })
}

/** Pictures for seeking, a second or more apart. */
function isTrickMode({ attributes }: XmlElement): boolean {
  return attributes['schemeIdUri']?.toLowerCase().endsWith('trickmode') === true
}

function kindOf(attributes: Readonly<Record<string, string>>, set: XmlElement): Kind | null {
  const component = childOf(set, 'ContentComponent')?.attributes['contentType']
  const { contentType = component, mimeType } = attributes
  const [type] = (contentType ?? mimeType ?? '').toLowerCase().split('/')
  return type === 'video' || type === 'audio' ? type : null
}

/** @throws Failure if all of them are protected */
function best(all: readonly Candidate[]): Candidate | undefined {
  const open = all.filter(({ protection }) => protection === null)
  const [locked] = all
  if (open.length === 0 && locked !== undefined) {
    throw invalidManifest(`is protected by ${locked.protection ?? ''}, which FFmpeg cannot decrypt`)
  }
  return open.toSorted((one, other) => pixels(other) - pixels(one) || rate(other) - rate(one))[0]
}

function pixels({ attributes }: Candidate): number {
  return Number(attributes['width'] ?? 0) * Number(attributes['height'] ?? 0) || 0
}

function rate({ attributes }: Candidate): number {
  return Number(attributes['bandwidth'] ?? 0) || 0
}

function trackOf(candidate: Candidate, seconds: number | null, room: Room): Track {
  const { kind, attributes, base, levels } = candidate
  const { id = '', bandwidth = '' } = attributes
  const segments = segmentsOf({ levels, base, id, bandwidth, seconds })
  room.segments -= segments.pieces.length
  if (room.segments < 0) throw tooManySegments()
  return { kind, attributes, segments }
}

function baseOf(element: XmlElement, base: URL): URL {
  const text = childOf(element, 'BaseURL')?.text.trim()
  return text === undefined ? base : urlOf(text, base)
}
