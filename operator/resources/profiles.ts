import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { labels } from '../../common/domain/resource-names.ts'
import type { RunnerProfile, RunnerSettings } from './runner-settings.ts'

/** Facts that decide about the profile of a command's next Job. */
export type ProfiledWork = Pick<ReconcileRow, 'accountPlan' | 'spotLosses'>

type Profiles = Pick<RunnerSettings, 'profiles' | 'planProfiles'>

/**
 * Pods that a command may lose on spot nodes free of charge. The next Job has the profile to fall back to, and what
 * it loses there counts as any other loss.
 */
export const freeSpotLosses = 6

/** The settings of a command's runner: those of the profile of its plan over those of all. */
export function settingsFor(
  work: ProfiledWork & Pick<ReconcileRow, 'priority'>,
  settings: RunnerSettings,
): RunnerSettings {
  const { pod, ...own } = profileOf(work, settings)
  const priorityClassName =
    own.priorityClassName ?? settings.priorityClasses[work.priority] ?? settings.priorityClassName
  return { ...settings, ...own, priorityClassName, pod: { ...settings.pod, ...pod } }
}

/** Labels of a Job that show its profile. */
export function profileLabels(work: ProfiledWork, settings: Profiles): Record<string, string> {
  const name = nameOf(work, settings)
  return name === null ? {} : { [labels.profile]: name }
}

/** The settings that take the place of those of all. */
export function profileOf(work: ProfiledWork, settings: Profiles): RunnerProfile {
  return named(nameOf(work, settings), settings)
}

/** Whether the cluster may take the nodes of a Job at any time, by the profile that the Job shows. */
export function isOnSpot(profile: string | null, settings: Profiles): boolean {
  return named(profile, settings).spot !== undefined
}

function nameOf({ accountPlan, spotLosses }: ProfiledWork, settings: Profiles): string | null {
  const name = settings.planProfiles[accountPlan] ?? null
  const { spot } = named(name, settings)
  return spot !== undefined && spotLosses >= freeSpotLosses ? spot.fallback : name
}

function named(name: string | null, { profiles }: Pick<Profiles, 'profiles'>): RunnerProfile {
  return name === null ? {} : (profiles[name] ?? {})
}
