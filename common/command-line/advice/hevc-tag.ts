import { extensionOf } from '../../domain/stored-type.ts'
import type { ArgumentGroup, PlannedOption, StepPlan } from '../model/plan.ts'
import { writtenText } from '../steps/step-filters.ts'

/** Outputs that hold HEVC under FFmpeg's tag `hev1`, by alias; null for one without an alias. */
export function untaggedHevc({ groups }: StepPlan): (string | null)[] {
  return groups.flatMap((group) => (isUntagged(group) ? [group.alias] : []))
}

function isUntagged(group: ArgumentGroup): boolean {
  const { kind, options } = group
  const encoder = options.findLast(({ flag }) => videoCodec.test(flag))
  return (
    kind === 'output' &&
    encoder !== undefined &&
    hevcEncoders.has(valueOf(encoder)) &&
    isTaggedFile(group) &&
    !options.some(({ name, flag }) => name === 'vtag' || /^-tag(?::v(?::0)?|:0)?$/.test(flag))
  )
}

const videoCodec = /^-(?:vcodec|c(?:odec)?(?::v(?::0)?)?)$/
const hevcEncoders: ReadonlySet<string> = new Set(['libx265', 'hevc'])

/** Files of MP4's family, and playlists with segments of it. */
function isTaggedFile({ format, options, target }: ArgumentGroup): boolean {
  const last = target?.at(-1)
  // the first of two passes
  if (last === '/dev/null') return false
  const container = format ?? (typeof last === 'string' ? extensionOf(last) : '')
  if (container === 'm3u8' || container === 'hls') {
    return options.some(
      (option) => option.name === 'hls_segment_type' && valueOf(option) === 'fmp4',
    )
  }
  return tagged.has(container)
}

const tagged: ReadonlySet<string> = new Set(['mp4', 'm4v', 'mov'])

function valueOf({ value }: PlannedOption): string {
  return value === null ? '' : writtenText(value)
}
