import { writtenText } from '../steps/step-filters.ts'
import type { PlannedOption, StepPlan } from '../model/plan.ts'

/** Options of the whole command, which FFmpeg 7.1 takes behind the last output too. */
const wholeCommand: ReadonlySet<string> = new Set(
  `abort_on auto_conversion_filters benchmark benchmark_all copy_unknown copytb copyts cpuflags
  debug_ts dts_delta_threshold dts_error_threshold filter_complex filter_complex_threads
  filter_threads frame_drop_threshold ignore_unknown lavfi max_alloc max_error_rate qphist
  recast_media start_at_zero timelimit vstats_version vsync xerror`.split(/\s+/),
)

/** Options behind the last output, which FFmpeg ignores, as written: `-c copy -t 1`; null without any. */
export function trailingOptions({ groups }: StepPlan): string | null {
  const ignored = groups
    .filter(({ kind }) => kind === 'trailing')
    .flatMap(({ options }) => options.filter(({ name }) => !wholeCommand.has(plainName(name))))
  return ignored.length === 0 ? null : ignored.map(asWritten).join(' ')
}

/** `nocopyts` is `copyts` switched off. */
function plainName(name: string): string {
  return name.startsWith('no') ? name.slice(2) : name
}

function asWritten({ flag, value }: PlannedOption): string {
  return value === null ? flag : `${flag} ${writtenText(value)}`
}
