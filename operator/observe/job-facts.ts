import type { Job, ObjectMeta } from '../../common/kubernetes/resources/objects.ts'
import {
  commandKind,
  jobName,
  labels,
  specHashAnnotation,
  storedFileKind,
} from '../../common/domain/resource-names.ts'
import { queueNameLabel } from '../resources/kueue.ts'
import { factMetadata } from './fact-metadata.ts'
import type { FactMetadata } from './fact-metadata.ts'
import { boundTo, isWarmRunner } from './warm-runner-labels.ts'

/** Fields of a Job that the operator caches. */
export interface JobFacts {
  readonly metadata: FactMetadata
  /** Null for a Job that only has our label. */
  readonly commandId: string | null
  readonly jobGeneration: number
  readonly ownerUid: string | null
  readonly specHash: string | null
  readonly deleting: boolean
  /** A queue of Kueue resumes and suspends it. */
  readonly queued: boolean
  readonly suspended: boolean
  /** No further pod will start. It comes some seconds before `finished`. */
  readonly ending: { readonly reason: string; readonly message: string } | null
  /** Complete or Failed: all its pods are terminal. */
  readonly finished: boolean
  readonly ttlSeconds: number | null
  /** `activeDeadlineSeconds`, which its controller counts from the start of the Job. */
  readonly deadlineSeconds: number | null
  /** The profile that it was made by, if any. */
  readonly profile: string | null
  /** null for a Job that was created for its command. */
  readonly warmRunner: { readonly poolHash: string } | null
}

export function jobFacts({ metadata, spec, status }: Job): JobFacts {
  const warmRunner = isWarmRunner(metadata)
    ? { poolHash: metadata.labels?.[labels.pool] ?? '' }
    : null
  const work = warmRunner === null ? createdFor(metadata) : boundTo(metadata)
  const holds = (type: string): boolean =>
    status.conditions.some((condition) => condition.type === type && condition.status === 'True')
  const ending = status.conditions.find(
    ({ type, status: value }) => value === 'True' && endingTypes.includes(type),
  )
  return {
    metadata: factMetadata(metadata),
    commandId: work?.commandId ?? null,
    jobGeneration: work?.jobGeneration ?? 0,
    ownerUid: metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? null,
    specHash: metadata.annotations?.[specHashAnnotation] ?? null,
    deleting: metadata.deletionTimestamp !== undefined,
    queued: metadata.labels?.[queueNameLabel] !== undefined,
    suspended: spec.suspend,
    ending:
      ending === undefined
        ? null
        : { reason: ending.reason ?? ending.type, message: ending.message ?? '' },
    finished: holds('Complete') || holds('Failed'),
    ttlSeconds: spec.ttlSecondsAfterFinished,
    deadlineSeconds: spec.activeDeadlineSeconds,
    profile: metadata.labels?.[labels.profile] ?? null,
    warmRunner,
  }
}

function createdFor(metadata: ObjectMeta): { commandId: string; jobGeneration: number } | null {
  const commandId = metadata.labels?.[labels.commandId] ?? ''
  const jobGeneration = Number(metadata.labels?.[labels.jobGeneration])
  const ours = ([commandKind, storedFileKind] as const).some(
    (kind) => metadata.name === jobName(commandId, jobGeneration, kind),
  )
  return ours ? { commandId, jobGeneration } : null
}

/** Nothing is missing: its pods start when Kueue resumes it. */
export function isSuspendedByQueue({ queued, suspended }: JobFacts): boolean {
  return queued && suspended
}

/** The Job waited for the command, and does not belong to its resource yet. */
export function isUnadopted({ warmRunner, ownerUid }: JobFacts): boolean {
  return warmRunner !== null && ownerUid === null
}

const endingTypes = ['FailureTarget', 'SuccessCriteriaMet', 'Failed', 'Complete']
