import { labels } from '../../../common/domain/resource-names.ts'
import type { FakeObject } from '../kube-apiserver/objects/fake-object.ts'
import type { WarmWorld } from './world.ts'

/** A Job or pod that waits for a command, by what the cluster shows. */
export function isUnbound({ metadata }: FakeObject): boolean {
  return metadata.labels?.[labels.warmRunner] === 'waiting'
}

/** Missing or surplus runners of the pool at rest: as many as are wanted, all made from the same settings. */
export function poolProblems(jobs: readonly FakeObject[], warm: WarmWorld | null): string[] {
  const living = jobs.filter(({ status }) => !hasConditions(status))
  const hashes = new Set(living.map(({ metadata }) => metadata.labels?.[labels.pool]))
  const wanted = warm?.max ?? 0
  return [
    ...(living.length === wanted ? [] : [`I12: ${living.length} warm runners wait, not ${wanted}`]),
    ...(hashes.size > 1 ? [`I12: warm runners of ${hashes.size} settings wait`] : []),
  ]
}

/** Facts of any account, which a pod that waits must not have. */
export function warmRunnerProblem({ kind, metadata, ...object }: FakeObject): string | null {
  if ((kind !== 'Job' && kind !== 'Pod') || !isUnbound({ kind, metadata, ...object })) return null
  const isOwned = kind === 'Job' && (metadata.ownerReferences ?? []).length > 0
  const has = [labels.commandId, labels.account, labels.jobGeneration].filter(
    (label) => metadata.labels?.[label] !== undefined,
  )
  const what = [...has, ...(isOwned ? ['an owner'] : [])]
  return what.length === 0 ? null : `I11: ${metadata.name} waits and has ${what.join(', ')}`
}

function hasConditions(status: FakeObject['status']): boolean {
  const conditions = status?.['conditions']
  return Array.isArray(conditions) && conditions.length > 0
}
