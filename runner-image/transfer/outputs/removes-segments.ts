import type { PlannedOutput, StepPlan } from '../../../common/command-line/model/plan.ts'

/**
 * Whether FFmpeg will delete segments of this playlist again. The objects of those that were
 * stored meanwhile would stay behind, in nobody's record.
 */
export function removesSegments({ alias }: PlannedOutput, { groups }: StepPlan): boolean {
  return groups
    .filter((group) => group.kind === 'output' && group.alias === alias)
    .flatMap(({ options }) => options)
    .some(({ name, value }) => {
      const texts = (value ?? []).filter((part) => typeof part === 'string')
      return removing.has(name) || texts.some((text) => text.includes('delete_segments'))
    })
}

const removing: ReadonlySet<string> = new Set(['window_size', 'remove_at_exit'])
