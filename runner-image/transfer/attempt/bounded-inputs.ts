import type { ArgumentGroup, CommandPlan } from '../../../common/command-line/model/plan.ts'

/** Aliases of inputs of which the command reads a limited time: `-t` or `-to` of the input, or of all outputs. */
export function boundedInputs({ steps }: CommandPlan): string[] {
  return steps.flatMap(({ groups }) => {
    const outputs = groups.filter(({ kind }) => kind === 'output')
    const isBounded = outputs.length > 0 && outputs.every(hasEnd)
    return groups.flatMap((group) => {
      if (group.kind !== 'input' || group.alias === null) return []
      return isBounded || hasEnd(group) ? [group.alias] : []
    })
  })
}

function hasEnd({ options }: ArgumentGroup): boolean {
  return options.some(({ name }) => ends.has(name))
}

const ends: ReadonlySet<string> = new Set(['t', 'to', 'frames', 'vframes', 'aframes'])
