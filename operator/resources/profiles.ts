import type { Priority } from '../../common/domain/priority.ts'
import { labels } from '../../common/domain/resource-names.ts'
import type { RunnerSettings } from './runner-settings.ts'

interface Work {
  readonly accountPlan: string
  readonly priority: Priority
}

/** The settings of a command's runner: those of the profile of its plan over those of all. */
export function settingsFor(work: Work, settings: RunnerSettings): RunnerSettings {
  const name = profileOf(work, settings)
  const profile = name === null ? {} : (settings.profiles[name] ?? {})
  const { pod, ...own } = profile
  const priorityClassName =
    own.priorityClassName ?? settings.priorityClasses[work.priority] ?? settings.priorityClassName
  return { ...settings, ...own, priorityClassName, pod: { ...settings.pod, ...pod } }
}

/** By which a Job shows its profile. */
export function profileLabels(work: Work, settings: RunnerSettings): Record<string, string> {
  const name = profileOf(work, settings)
  return name === null ? {} : { [labels.profile]: name }
}

function profileOf({ accountPlan }: Work, settings: RunnerSettings): string | null {
  return settings.planProfiles[accountPlan] ?? null
}
