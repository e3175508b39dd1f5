import type {
  ArgumentGroup,
  PlannedOutput,
  StepPlan,
} from '../../../common/command-line/model/plan.ts'
import { extensionOf } from '../../../common/domain/stored-type.ts'

/**
 * How FFmpeg writes a file: `appended` bytes are never changed; the beginning of a `headed` one is
 * written again when it is closed.
 */
export type Growth = 'appended' | 'headed'

/**
 * Whether an output may be uploaded while it is still written. FFmpeg 7.1 was traced with strace
 * while it wrote 30 MB by each of these muxers: it rewrites only the first kilobyte or so, and of
 * MPEG-TS, ADTS and Ogg not even that.
 * @returns null if most of the file may move when it is closed, or if it has not been watched
 */
export function growthOf(output: PlannedOutput, step: StepPlan): Growth | null {
  const group = step.groups.find(({ kind, alias }) => kind === 'output' && alias === output.alias)
  if (group === undefined || output.folder !== null) return null
  if (group.options.some(({ name }) => movingOptions.has(name))) return null
  const muxer = group.format ?? muxers.get(extensionOf(output.name))
  if (muxer === undefined) return null
  return fragmented.has(muxer) ? fragmentGrowth(group) : (growths.get(muxer) ?? null)
}

const muxers = new Map([
  ...['ts', 'm2t', 'm2ts', 'mts'].map((name) => [name, 'mpegts'] as const),
  ...['ogg', 'oga', 'ogv', 'opus', 'spx'].map((name) => [name, 'ogg'] as const),
  ...['mp4', 'mov'].map((name) => [name, name] as const),
  ['aac', 'adts'],
  ['mkv', 'matroska'],
  ['mka', 'matroska'],
  ['webm', 'webm'],
  ['mp3', 'mp3'],
  ['flac', 'flac'],
])

const growths = new Map<string, Growth>([
  ['mpegts', 'appended'],
  ['adts', 'appended'],
  ...['ogg', 'oga', 'ogv', 'opus', 'spx'].map((name) => [name, 'appended'] as const),
  ['matroska', 'headed'],
  ['webm', 'headed'],
  ['mp3', 'headed'],
  ['flac', 'headed'],
])

/** Attachments are followed by rewritten tags; an index in front moves all that is behind it. */
const movingOptions: ReadonlySet<string> = new Set([
  'cues_to_front',
  'reserve_index_space',
  'attach',
])

const fragmented: ReadonlySet<string> = new Set(['mp4', 'mov'])

/** Everything else, `faststart` and `global_sidx` above all, moves what was written. */
const stayingFlags: ReadonlySet<string> = new Set([
  'frag_keyframe',
  'empty_moov',
  'default_base_moof',
  'separate_moof',
  'omit_tfhd_offset',
  'negative_cts_offsets',
  'disable_chpl',
  'skip_trailer',
  'skip_sidx',
  'delay_moov',
  'cmaf',
  'dash',
])

function fragmentGrowth({ options }: ArgumentGroup): Growth | null {
  const values = options
    .filter(({ name }) => name === 'movflags')
    .map(({ value }) => (value ?? []).map((part) => (typeof part === 'string' ? part : '{}')))
  const flags = values
    .map((parts) => parts.join(''))
    .join('+')
    .split('+')
    .filter((flag) => flag !== '')
  const stays = flags.includes('frag_keyframe') && flags.every((flag) => stayingFlags.has(flag))
  return stays ? 'headed' : null
}
