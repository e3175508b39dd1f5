import type { ArgumentGroup, CommandPlan } from '../model/plan.ts'

/**
 * Aliases whose files FFmpeg may read from a pipe while they are still downloading, as far as the
 * command line shows: it reads each of them once, from start to end. If an option needs a file and
 * gets a pipe, FFmpeg reports no error and writes other output: a seek before `-i` is left out
 * (https://ffmpeg.org/ffmpeg.html, `-ss`), a loop does not start. So every option must be known as
 * one that does not need a file.
 */
export function streamedInputs({ steps }: CommandPlan): string[] {
  const [step, ...others] = steps
  if (step === undefined || others.length > 0) return []
  const inputs = step.groups.filter(({ kind }) => kind === 'input')
  if (inputs.some(namesOtherFiles) || step.groups.some(isPassOfSeveral)) return []
  return inputs.flatMap((group) => {
    const alias = aliasOfWhole(group)
    const uses = step.placeholders.filter((use) => use.alias === alias)
    const isReadOnce = uses.length === 1 && uses[0]?.role === 'input'
    return alias !== null && isReadOnce && readsOnwards(group) ? [alias] : []
  })
}

/** Lists name their members by themselves, and may name what another `-i` reads as well. */
function namesOtherFiles({ format, target }: ArgumentGroup): boolean {
  return (
    (format !== null && listFormats.has(format)) ||
    (target ?? []).some((part) => typeof part === 'string' && part.startsWith('concat:'))
  )
}

const listFormats: ReadonlySet<string> = new Set(['concat', 'hls', 'dash', 'imf'])

/** Two passes read the same file twice, with a command for each; one alone is half of something. */
function isPassOfSeveral({ options }: ArgumentGroup): boolean {
  return options.some(({ name }) => name === 'pass')
}

/** The alias, if the target is its file alone. */
function aliasOfWhole({ alias, target }: ArgumentGroup): string | null {
  const [part, ...rest] = target ?? []
  return typeof part === 'object' && rest.length === 0 && part.input === alias ? alias : null
}

/** A forced format was not detected from the file's first bytes. */
function readsOnwards({ format, options }: ArgumentGroup): boolean {
  return format === null && options.every(({ name }) => onwards.has(name))
}

/** Options in front of an `-i`, its own and those of the whole command, that change no reading. */
const onwards: ReadonlySet<string> = new Set([
  't',
  'to',
  'itsoffset',
  'itsscale',
  'r',
  're',
  'readrate',
  'thread_queue_size',
  'c',
  'codec',
  'vcodec',
  'acodec',
  'scodec',
  'dcodec',
  'threads',
  'max_pixels',
  'an',
  'vn',
  'sn',
  'dn',
  'autorotate',
  'noautorotate',
  'display_rotation',
  'display_hflip',
  'display_vflip',
  'guess_layout_max',
  'discard',
  'flags',
  'flags2',
  'err_detect',
  'ec',
  'skip_frame',
  'skip_loop_filter',
  'thread_type',
  'autoscale',
  'filter_complex',
  'lavfi',
  'copyts',
  'start_at_zero',
  'vsync',
  'fps_mode',
  'xerror',
  'max_error_rate',
  'dts_delta_threshold',
  'dts_error_threshold',
  'max_muxing_queue_size',
])
