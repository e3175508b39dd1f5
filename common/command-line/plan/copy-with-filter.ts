import type { Group, OptionArgument } from '../grammar/arguments.ts'
import { codecOptions } from '../grammar/option-table.ts'
import { wholePlaceholder } from '../model/placeholders.ts'
import type { Refusal } from '../model/refusal.ts'
import type { SubmittedFiles } from '../model/step-context.ts'
import { plainReading } from '../read/reading.ts'
import { extensionOf } from '../../domain/stored-type.ts'

type Kind = 'v' | 'a'

/**
 * A filter on streams that are copied, which FFmpeg refuses: `-c copy -vf hflip`. Nothing is said
 * where the output may have no stream of that kind, or where the option of a single stream decides.
 * @param makers filter by the label of its output
 */
export function copyWithFilter(
  group: Group,
  makers: ReadonlyMap<string, string>,
  files: SubmittedFiles,
): Refusal[] {
  return (['v', 'a'] as const).flatMap((kind) => {
    const codec = codecOf(group.options, kind)
    if (codec === null || textOf(codec) !== 'copy') return []
    const filter =
      group.options.find((option) => isFilterOf(option, kind) && has(group, kind, files)) ??
      group.options.find((option) => isMapOfFiltered(option, kind, makers))
    if (filter === undefined) return []
    const sentence = (place: string): string =>
      `Filtering and streamcopy cannot be used together: ${place} filters what '${codec.flag.text} copy' copies; remove one of them, or write an encoder in place of copy`
    return [{ type: 'command_syntax' as const, range: filter.flag.token, sentence }]
  })
}

/** The last option that chooses the codec of all streams of a kind; null if none, or one of a single stream does. */
function codecOf(options: readonly OptionArgument[], kind: Kind): OptionArgument | null {
  const codecs = options.filter(({ name }) => codecOptions.has(name))
  if (codecs.some(({ flag }) => isOfSingleStream(flag.text))) return null
  return codecs.findLast(({ flag }) => kindsOf(flag.text).includes(kind)) ?? null
}

function isOfSingleStream(flag: string): boolean {
  const [, specifier] = /^-\w+:(.+)$/.exec(flag) ?? []
  return specifier !== undefined && !/^[vasdt]$/.test(specifier)
}

/** Kinds that an option applies to: all for `-c` and `-filter`. */
function kindsOf(flag: string): string[] {
  const kind = /^-([vasd])(?:codec|f)$/.exec(flag)?.[1] ?? /^-\w+:([a-z])$/.exec(flag)?.[1]
  return kind === undefined ? (flag.includes(':') ? [] : ['v', 'a']) : [kind]
}

function isFilterOf({ name, flag }: OptionArgument, kind: Kind): boolean {
  return simpleFilters.has(name) && kindsOf(flag.text).includes(kind)
}

const simpleFilters: ReadonlySet<string> = new Set(['vf', 'af', 'filter'])

/** Whether the output gets a stream of a kind from any input that has one, and says so if none has. */
function has(group: Group, kind: Kind, files: SubmittedFiles): boolean {
  const { options } = group
  if (options.some(({ name }) => name === `${kind}n`)) return false
  const maps = options.filter(({ name }) => name === 'map').map(textOf)
  if (maps.some((map) => map.startsWith('-'))) return false
  if (maps.length > 0) {
    return maps.some((map) => /^\d+$/.test(map) || new RegExp(`^\\d+:${kind}(?::\\d+)?$`).test(map))
  }
  const containers = kind === 'v' ? ofVideo : ofSound
  return containers.has(containerOf(group, files))
}

/** Value of `-f`, or the extension of the output. */
function containerOf({ options, target }: Group, files: SubmittedFiles): string {
  const format = options.findLast(({ name }) => name === 'f')
  if (format !== undefined) return textOf(format).trim().toLowerCase()
  const name = target === null ? '' : plainReading(target).text
  const alias = wholePlaceholder(name)
  return extensionOf(alias === null ? name : (files.outputs.get(alias)?.name ?? ''))
}

/** Extensions and formats for which FFmpeg chooses a stream of the kind by itself. */
const ofVideo: ReadonlySet<string> = new Set(
  'mp4 m4v mov mkv matroska webm avi ts mts m2ts mpegts flv 3gp mpg mpeg wmv asf mxf nut m3u8 hls mpd dash segment null'.split(
    ' ',
  ),
)
const ofSound: ReadonlySet<string> = new Set([
  ...ofVideo,
  ...'mp3 m4a aac adts wav flac ogg oga opus mka ac3 eac3 wma aiff caf'.split(' '),
])

/** `-map [v]`, the label behind a filter whose kind is known. */
function isMapOfFiltered(
  option: OptionArgument,
  kind: Kind,
  makers: ReadonlyMap<string, string>,
): boolean {
  const label = option.name === 'map' ? /^\[(.+)\]$/.exec(textOf(option))?.[1] : undefined
  return label !== undefined && filtersOf[kind].has(makers.get(label) ?? '')
}

/** Frequent filters with outputs of one kind. */
const filtersOf: Readonly<Record<Kind, ReadonlySet<string>>> = {
  v: new Set(
    'scale crop pad overlay drawtext drawbox subtitles ass hflip vflip rotate transpose fps format setpts setsar setdar trim fade eq hue colorkey chromakey boxblur gblur hstack vstack xstack blend xfade zoompan palettegen paletteuse split tile yadif loop'.split(
      ' ',
    ),
  ),
  a: new Set(
    'volume amix amerge atempo atrim asetpts afade adelay pan loudnorm dynaudnorm aresample aformat acrossfade asplit highpass lowpass equalizer apad aloop channelsplit sidechaincompress'.split(
      ' ',
    ),
  ),
}

function textOf({ value }: OptionArgument): string {
  return value === null ? '' : plainReading(value).text
}
