import { labels, warmRunnerPrefix } from '../../common/domain/resource-names.ts'
import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'

/** Whether a Job or pod was made before there was a command for it. */
export function isWarmRunner({ name, labels: worn }: Pick<ObjectMeta, 'name' | 'labels'>): boolean {
  const poolHash = worn?.[labels.pool]
  return poolHash !== undefined && name.startsWith(`${warmRunnerPrefix}-${poolHash}-`)
}

/** The command that a Job or pod of a warm runner was given; its name says nothing of it. */
export function boundTo({
  labels: worn,
}: Pick<ObjectMeta, 'labels'>): { commandId: string; jobGeneration: number } | null {
  const commandId = worn?.[labels.commandId]
  const jobGeneration = Number(worn?.[labels.jobGeneration])
  if (commandId === undefined || worn?.[labels.warmRunner] !== 'bound') return null
  return Number.isInteger(jobGeneration) && jobGeneration > 0 ? { commandId, jobGeneration } : null
}
