import type { ArgumentGroup, PlannedOption, StepPlan } from '../model/plan.ts'
import { usualLevel } from '../model/log-level.ts'
import { filledText } from '../model/planned-text.ts'
import { clamped } from '../grammar/encoder-threads.ts'
import { serviceOptions, withThreadParameters } from './service-options.ts'

export type ArgvOptions = {
  /** Path by alias, relative to the working directory, for every input that the step reads. */
  inputPaths: Readonly<Record<string, string>>
  vcpuCount: number
  /** Largest picture that is decoded, in pixels. */
  maxPixels: number
}

/** 8,192 × 8,192: a 15,000 × 15,000 PNG of 656 KB would take 714 MB of memory. */
export const defaultMaxPixels = 67_108_864

/**
 * The arguments FFmpeg is started with, without the program's name. Progress goes to descriptor 3,
 * so that no log line can pass for it.
 */
export function finalArgv(step: StepPlan, options: ArgvOptions): string[] {
  const count = String(options.vcpuCount)
  // A log that is stored may say more than the logs do; FFmpeg takes the number of a level too.
  const level = Math.max(step.log?.level ?? usualLevel, usualLevel)
  return [
    '-hide_banner',
    '-nostdin',
    '-y',
    '-loglevel',
    level === usualLevel ? 'level+info' : `level+${String(level)}`,
    '-nostats',
    '-stats_period',
    '1',
    '-progress',
    'pipe:3',
    '-cpucount',
    count,
    '-filter_threads',
    count,
    '-filter_complex_threads',
    count,
    ...step.groups.flatMap((group) => {
      const { options: own, ...rest } = group
      // in front of a decoder ours would be the decoder's
      const behind = own.findLastIndex(({ name }) => name === 'dec') + 1
      const ours = serviceOptions({ ...rest, options: own.slice(behind) }, options)
      const given = withThreadParameters(own, options)
      const complete = { ...rest, options: given.toSpliced(behind, 0, ...ours) }
      return groupArgv(complete, options)
    }),
  ]
}

/** The customer's arguments as they will be run, without any that the service adds. */
export function customerArgv(step: StepPlan, options: ArgvOptions): string[] {
  return step.groups.flatMap((group) => groupArgv(group, options))
}

/** FFmpeg takes the kind of a stream in front of a codec's option for a specifier: `-vthreads`. */
const threadOption =
  /^(?:[vas]?threads|framethreads|tilethreads|filter_threads|filter_complex_threads)$/
const largestPicture = /^[vas]?max_pixels$/

function groupArgv(group: ArgumentGroup, options: ArgvOptions): string[] {
  const target = group.target === null ? [] : [filledText(group.target, options.inputPaths)]
  return [
    ...group.options.flatMap((option) => optionArgv(option, group.kind, options)),
    ...(group.kind === 'input' ? ['-i'] : []),
    ...target,
  ]
}

function optionArgv(
  option: PlannedOption,
  kind: ArgumentGroup['kind'],
  options: ArgvOptions,
): string[] {
  if (option.value === null) return [option.flag]
  const value = filledText(option.value, options.inputPaths)
  if (threadOption.test(option.name)) return [option.flag, clamped(value, options.vcpuCount)]
  if (largestPicture.test(option.name) && kind === 'input') {
    return [option.flag, clamped(value, options.maxPixels)]
  }
  return [option.flag, value]
}
