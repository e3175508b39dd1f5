import type { StepPlan } from '../model/plan.ts'
import type { Advice } from './advice.ts'
import { untaggedHevc } from './hevc-tag.ts'
import { strayPercents } from './stray-percent.ts'
import { trailingOptions } from './trailing-options.ts'

/** Advice on results that differ from the intention although the command succeeds: it stands in the record too. */
export function recordedAdvice(step: StepPlan, place: string): Advice[] {
  return [...ignoredOptions(step, place), ...undrawnTexts(step, place), ...otherTags(step, place)]
}

function ignoredOptions(step: StepPlan, place: string): Advice[] {
  const options = trailingOptions(step)
  if (options === null) return []
  const message = `'${options}'${place} would be ignored: options stand in front of the output that they are for, not behind the last one`
  return [{ code: 'TRAILING_OPTIONS', message, alias: null }]
}

function undrawnTexts(step: StepPlan, place: string): Advice[] {
  return strayPercents(step).map((near) => ({
    code: 'STRAY_PERCENT',
    message: `drawtext${place} draws no text with '${near}', since a % begins a function as in %{pts}; add :expansion=none to the filter, or write \\\\\\\\% in place of the %`,
    alias: null,
  }))
}

function otherTags(step: StepPlan, place: string): Advice[] {
  return untaggedHevc(step).map((alias) => ({
    code: 'HEVC_TAG',
    message: `${alias ?? 'An output'}${place} holds HEVC under the tag hev1, which Apple's players refuse; add -tag:v hvc1`,
    alias,
  }))
}
