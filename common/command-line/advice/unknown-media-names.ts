import names from '../grammar/media-names.json' with { type: 'json' }
import { codecOptions } from '../grammar/option-table.ts'
import { substituteEncoder } from '../remedies/missing-parts.ts'
import { nearestName } from '../remedies/nearest-name.ts'
import type { ArgumentGroup, PlannedOption, StepPlan } from '../model/plan.ts'

export interface UnknownMediaName {
  readonly kind: 'encoder' | 'muxer'
  readonly name: string
  /** null where no name is known to be meant. */
  readonly nearest: string | null
  /** The name is another that does the same, not the right spelling of this one. */
  readonly isSubstitute: boolean
}

/** FFmpeg takes the name of a codec for that of its first encoder. */
const encoders: ReadonlySet<string> = new Set([...names.encoders, ...names.codecs, 'copy'])
const muxers: ReadonlySet<string> = new Set(names.muxers)

/** Extensions of files that are not names of formats. */
const meantMuxers: Readonly<Record<string, string>> = {
  mkv: 'matroska',
  ts: 'mpegts',
  m3u8: 'hls',
  m4a: 'ipod',
  aac: 'adts',
  mpg: 'mpeg',
  jpg: 'image2',
  jpeg: 'image2',
  png: 'image2',
  wmv: 'asf',
  wma: 'asf',
  vtt: 'webvtt',
  opus: 'ogg',
  mpd: 'dash',
  yuv: 'rawvideo',
}

/**
 * Encoders and muxers of outputs that the FFmpeg of the runner image lacks, each once. They are not
 * refused: the list may be that of another image than the one that is installed.
 */
export function unknownMediaNames({ groups }: StepPlan): UnknownMediaName[] {
  const outputs = groups.filter(({ kind }) => kind === 'output')
  const written = new Set(outputs.flatMap(({ options }) => options.flatMap(encoderIn)))
  const formats = new Set(outputs.flatMap(formatOf))
  return [
    ...[...written]
      .filter((name) => !encoders.has(name))
      .map((name) => unknown('encoder', name, substituteEncoder(name), names.encoders)),
    ...[...formats]
      .filter((name) => !muxers.has(name))
      .map((name) => unknown('muxer', name, muxerOf(name), names.muxers)),
  ]
}

function encoderIn({ name, value }: PlannedOption): string[] {
  const [text] = value ?? []
  return codecOptions.has(name) && value?.length === 1 && typeof text === 'string' ? [text] : []
}

function formatOf({ format }: ArgumentGroup): string[] {
  return format === null ? [] : [format]
}

function muxerOf(name: string): string | null {
  const small = name.toLowerCase()
  return Object.hasOwn(meantMuxers, small) ? (meantMuxers[small] ?? null) : null
}

function unknown(
  kind: UnknownMediaName['kind'],
  name: string,
  substitute: string | null,
  known: readonly string[],
): UnknownMediaName {
  const nearest = substitute ?? nearestName(name, known)
  return { kind, name, nearest, isSubstitute: kind === 'encoder' && substitute !== null }
}
