import type { ArgumentGroup, PlannedText, StepPlan } from '../../common/command-line/model/plan.ts'
import { storedType } from '../../common/domain/stored-type.ts'

const words = { a: 'sound', v: 'video', s: 'subtitles' } as const
type Kind = keyof typeof words

/**
 * Which input lacks the kind of stream that a step needs, where FFmpeg's messages leave no doubt; they name neither the
 * input nor the kind.
 * @param tail FFmpeg's last errors, lines joined by `\n`
 */
export function absentStream(step: StepPlan, tail: string): string | null {
  return ofMap(step, tail) ?? ofGraph(step, tail) ?? ofOutput(step, tail)
}

function ofMap(step: StepPlan, tail: string): string | null {
  if (!/Stream map '.*' matches no streams/.test(tail)) return null
  const [, map = '', index, kind] =
    /Failed to set value '((\d+):([avs]))' for option 'map'/.exec(tail) ?? []
  if (!isKind(kind)) return null
  return `${lacks(step, Number(index), kind)}: -map ${map} takes nothing; -map ${map}? goes on without`
}

function ofGraph(step: StepPlan, tail: string): string | null {
  const [, kind, graph = ''] =
    /Stream specifier ':?([avs])' in filtergraph description (.*) matches no streams/.exec(tail) ??
    []
  if (!isKind(kind)) return null
  const links = graph.matchAll(/\[(\d+):([avs])\]/g)
  const indexes = new Set([...links].flatMap(([, index, of]) => (of === kind ? [index] : [])))
  const [index, ...others] = indexes
  if (index === undefined || others.length > 0) return null
  return `${lacks(step, Number(index), kind)}, which the filter at [${index}:${kind}] needs`
}

/** An output of sound alone gets a stream of any input that has one, unless its maps choose. */
function ofOutput(step: StepPlan, tail: string): string | null {
  const index = /\[out#(\d+)\/[^\]]*\] Output file does not contain any stream/.exec(tail)?.[1]
  const outputs = step.groups.filter(({ kind }) => kind === 'output')
  const output = index === undefined ? undefined : outputs[Number(index)]
  if (output === undefined || !isOfSoundAlone(output)) return null
  const inputs = step.groups.filter(({ kind }) => kind === 'input')
  return inputs.length === 1 ? lacks(step, 0, 'a') : 'The inputs have no sound'
}

function isOfSoundAlone({ options, target }: ArgumentGroup): boolean {
  const names = new Set(options.map(({ name }) => name))
  if (names.has('an') || names.has('map')) return false
  const { contentType } = storedType(textOf(target ?? []))
  return contentType.startsWith('audio/') || (names.has('vn') && contentType.startsWith('video/'))
}

function lacks({ groups }: StepPlan, index: number, kind: Kind): string {
  const alias = groups.filter((group) => group.kind === 'input')[index]?.alias
  return `${alias ?? `Input ${String(index)}`} has no ${words[kind]}`
}

function isKind(text: string | undefined): text is Kind {
  return text !== undefined && Object.hasOwn(words, text)
}

function textOf(text: PlannedText): string {
  return text.map((part) => (typeof part === 'string' ? part : part.input)).join('')
}
