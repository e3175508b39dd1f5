import type { ReconcileRow } from '../../common/store/reconcile.ts'
import type { CommandFacts } from '../observe/command-facts.ts'
import type { RunnerSettings } from '../resources/runner-settings.ts'

/**
 * Why a command gets a Job of its own; `empty`: no pod waited for it; `upload`: the last one is kept from the
 * probe of an upload; `namespace`: pods wait in another one, and a Job is in the namespace of its owner.
 */
export type ColdReason = 'off' | 'round' | 'size' | 'plan' | 'namespace' | 'empty' | 'upload'

/** The file is not downloaded any more, but read for its codec, length and size. */
export function isUploadProbe({ file }: Pick<ReconcileRow, 'file'>): boolean {
  return file?.status === 'UPLOADED'
}

/** Only the first attempt of a command is warm. After any failure of it, the next one has a Job of its own. */
export function coldReason(
  row: Pick<ReconcileRow, 'jobGeneration' | 'lostAttempts' | 'vcpuCount' | 'accountPlan' | 'file'>,
  { metadata }: Pick<CommandFacts, 'metadata'>,
  { warm, namespace }: Pick<RunnerSettings, 'warm' | 'namespace'>,
): ColdReason {
  if (warm === null) return 'off'
  if (row.jobGeneration !== 1 || row.lostAttempts.length > 0) return 'round'
  if (row.vcpuCount > warm.vcpu) return 'size'
  if (warm.coldPlans.includes(row.accountPlan)) return 'plan'
  if (metadata.namespace !== namespace) return 'namespace'
  return isUploadProbe(row) ? 'upload' : 'empty'
}
