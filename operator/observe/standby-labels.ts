import { labels, standbyPrefix } from '../../common/domain/resource-names.ts'
import type { ObjectMeta } from '../../common/kubernetes/resources/objects.ts'

/** Whether a Job or pod was made before there was a command for it. */
export function isStandby({ name, labels: worn }: Pick<ObjectMeta, 'name' | 'labels'>): boolean {
  const poolHash = worn?.[labels.pool]
  return poolHash !== undefined && name.startsWith(`${standbyPrefix}-${poolHash}-`)
}

/** The command that a Job or pod of a standby was given; its name says nothing of it. */
export function boundTo({
  labels: worn,
}: Pick<ObjectMeta, 'labels'>): { commandId: string; jobGeneration: number } | null {
  const commandId = worn?.[labels.commandId]
  const jobGeneration = Number(worn?.[labels.jobGeneration])
  if (commandId === undefined || worn?.[labels.standby] !== 'bound') return null
  return Number.isInteger(jobGeneration) && jobGeneration > 0 ? { commandId, jobGeneration } : null
}
