import type { CommandStatusRecord } from '../../../cli/client/client.ts'
import { isRecord } from '../../../e2e/cluster/host/run-command.ts'
import { probeBoth } from '../plain-shell.ts'

/**
 * Holds the record of each declared output against what ffprobe says of the file that plain FFmpeg
 * wrote: its picture's size, its codec, its duration.
 * @returns differences in words
 */
export async function recordDifferences(
  { output_files: records }: CommandStatusRecord,
  declared: Readonly<Record<string, string>> | 'OUTPUT_FOLDER',
  {
    root,
    jobs,
    lengthsVary,
  }: {
    readonly root: string
    readonly jobs: { readonly plain: string; readonly service: string }
    readonly lengthsVary: boolean
  },
): Promise<string[]> {
  if (declared === 'OUTPUT_FOLDER') return []
  // of a manifest FFmpeg may read all segments, and of some without end
  const files = Object.entries(declared).filter(([, name]) => !/\.(?:m3u8|mpd)$/.test(name))
  const names = files.map(([, name]) => name)
  const answers = await probeBoth(names, { root, ...jobs })
  return files.flatMap(([alias, name], index) => {
    const record = records?.[alias]
    const plain = factsOf(answers[index]?.plain ?? '')
    if (record === undefined || plain === null) return []
    const { width, height, codec, duration } = record
    const differences: string[] = []
    const compare = (
      what: string,
      here: string | number | null,
      there: readonly (string | number)[],
    ): void => {
      if (here === null || there.includes(here)) return
      differences.push(
        `${name}: the record's ${what} is ${String(here)}, plain FFmpeg's ${there.join(' or ')}`,
      )
    }
    compare('size', sizeOf(width, height), plain.sizes)
    compare('codec', codec, plain.codecs)
    const near =
      duration === null ||
      plain.duration === null ||
      Math.abs(duration - plain.duration) <= Math.max(0.1, 0.01 * plain.duration)
    if (!near && !lengthsVary) compare('duration', duration, [plain.duration ?? 'none'])
    return differences
  })
}

interface Facts {
  readonly sizes: readonly string[]
  readonly codecs: readonly string[]
  readonly duration: number | null
}

function factsOf(answer: string): Facts | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(answer)
  } catch {
    return null
  }
  if (!isRecord(parsed) || !Array.isArray(parsed['streams']) || parsed['streams'].length === 0) {
    return null
  }
  const streams = parsed['streams'].filter(isRecord)
  const format = isRecord(parsed['format']) ? parsed['format'] : {}
  const duration = Number(format['duration'] ?? Number.NaN)
  return {
    // a turned picture is shown the other way round
    sizes: streams
      .flatMap(({ width, height }) => [sizeOf(width, height), sizeOf(height, width)])
      .filter((size) => size !== null),
    codecs: streams.map(({ codec_name: codec }) => String(codec)),
    duration: Number.isNaN(duration) ? null : duration,
  }
}

function sizeOf(width: unknown, height: unknown): string | null {
  return typeof width === 'number' && typeof height === 'number'
    ? `${String(width)}x${String(height)}`
    : null
}
