import type { Job } from '../../common/kubernetes/resources/objects.ts'
import {
  commandKind,
  jobName,
  labels,
  specHashAnnotation,
  storedFileKind,
} from '../../common/domain/resource-names.ts'
import { factMetadata } from './fact-metadata.ts'
import type { FactMetadata } from './fact-metadata.ts'

/** What the operator keeps of a Job. */
export interface JobFacts {
  readonly metadata: FactMetadata
  /** Null for a Job that only wears our label. */
  readonly commandId: string | null
  readonly round: number
  readonly ownerUid: string | null
  readonly specHash: string | null
  readonly deleting: boolean
  readonly suspended: boolean
  /** No further pod will start. It comes some seconds before `finished`. */
  readonly ending: { readonly reason: string; readonly message: string } | null
  /** Complete or Failed: all its pods are terminal. */
  readonly finished: boolean
  readonly ttlSeconds: number | null
}

export function jobFacts({ metadata, spec, status }: Job): JobFacts {
  const commandId = metadata.labels?.[labels.commandId] ?? ''
  const round = Number(metadata.labels?.[labels.round])
  const ours = ([commandKind, storedFileKind] as const).some(
    (kind) => metadata.name === jobName(commandId, round, kind),
  )
  const holds = (type: string): boolean =>
    status.conditions.some((condition) => condition.type === type && condition.status === 'True')
  const ending = status.conditions.find(
    ({ type, status: value }) => value === 'True' && endingTypes.includes(type),
  )
  return {
    metadata: factMetadata(metadata),
    commandId: ours ? commandId : null,
    round: ours ? round : 0,
    ownerUid: metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? null,
    specHash: metadata.annotations?.[specHashAnnotation] ?? null,
    deleting: metadata.deletionTimestamp !== undefined,
    suspended: spec.suspend,
    ending:
      ending === undefined
        ? null
        : { reason: ending.reason ?? ending.type, message: ending.message ?? '' },
    finished: holds('Complete') || holds('Failed'),
    ttlSeconds: spec.ttlSecondsAfterFinished,
  }
}

const endingTypes = ['FailureTarget', 'SuccessCriteriaMet', 'Failed', 'Complete']
