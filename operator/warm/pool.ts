import type { JobFacts } from '../observe/job-facts.ts'
import type { WarmSettings } from '../resources/runner-settings.ts'

/** A Job of the pool, as the leader knows it. Times are in seconds. */
export interface WarmRunner {
  readonly job: Pick<JobFacts, 'metadata' | 'deleting' | 'ending' | 'finished' | 'ownerUid'>
  /** Made from the present settings; another one gets no command any more. */
  readonly isCurrent: boolean
  /** `over`: the attempt was lost or its command has ended. */
  readonly use: 'free' | 'bound' | 'over' | 'unknown'
  /** The pod has an open request here. */
  readonly isWaiting: boolean
  /** Since this leader saw it first, or since its pod started if that is longer. */
  readonly age: number
  /** Part of `maxAgeSeconds` at which it is replaced, so that not all are at once. */
  readonly lifetime: number
  /** The Job has started another pod: neither of the two is given a command. */
  readonly hasTwin: boolean
  /** Why its pod has not started within the start allowance; null: it has, or has time left. */
  readonly stuck: string | null
  /** Since its pod runs and has no open request; null: it has one, or does not run yet. */
  readonly silent: number | null
}

export interface PoolView {
  readonly warmRunners: readonly WarmRunner[]
  readonly desired: number
  /** Since a warm runner was bound; null: none was. */
  readonly sinceBind: number | null
  /** Since there are more than `desired`; 0 while there are not. */
  readonly surplusFor: number
  /** Until the next one is created after one that has failed. */
  readonly backoff: number
  /** Jobs that may be created beside those that there are. */
  readonly room: number
}

export interface PoolPlan {
  readonly create: number
  readonly retire: readonly { readonly warmRunner: WarmRunner; readonly why: string }[]
}

/** Making a pod takes half a second of a CPU, which the command that was just started needs more. */
export const refillSeconds = 0.5
const mostInFlight = 5
const surplusSeconds = 60
const silentSeconds = 60

/** Actions that change the pool to its size. Nothing is counted in memory, so two leaders count the same. */
export function pool(
  view: PoolView,
  { maxAgeSeconds }: Pick<WarmSettings, 'maxAgeSeconds'>,
): PoolPlan {
  const unused = view.warmRunners.filter(({ job, use }) => use === 'free' && isAlive(job))
  const isWorn = (warmRunner: WarmRunner): string | null => wornOut(warmRunner, maxAgeSeconds)
  const worn = unused.flatMap((warmRunner) => {
    const why = isWorn(warmRunner)
    return why === null ? [] : [{ warmRunner, why }]
  })
  const usable = unused.filter((warmRunner) => isWorn(warmRunner) === null)
  const over = view.warmRunners
    .filter(({ job, use }) => use === 'over' && job.ownerUid === null && isAlive(job))
    .map((warmRunner) => ({ warmRunner, why: 'its attempt is over' }))
  return {
    create: creations(usable, view),
    retire: [...over, ...worn, ...surplus(usable, view)],
  }
}

/** The pool's size: what was asked for in any five seconds of the last minutes, and half as much again. */
export function desiredSize(
  { most, idleSeconds }: { readonly most: number; readonly idleSeconds: number | null },
  settings: Pick<WarmSettings, 'min' | 'max' | 'idleSeconds'>,
): number {
  const { min, max } = settings
  if (idleSeconds === null || idleSeconds >= settings.idleSeconds) return min
  return Math.min(max, Math.max(min, Math.ceil(1.5 * most)))
}

/** No pod of it was deleted, and none has ended. */
export function isAlive({
  deleting,
  ending,
  finished,
}: Pick<JobFacts, 'deleting' | 'ending' | 'finished'>): boolean {
  return !deleting && ending === null && !finished
}

function wornOut(warmRunner: WarmRunner, maxAgeSeconds: number): string | null {
  if (!warmRunner.isCurrent) return 'its settings are not the present ones'
  if (warmRunner.hasTwin) return 'its Job has started another pod'
  if (warmRunner.stuck !== null) return `it did not start: ${warmRunner.stuck}`
  if (warmRunner.age >= warmRunner.lifetime * maxAgeSeconds) return 'it has waited for long'
  return (warmRunner.silent ?? 0) >= silentSeconds ? 'its pod runs and does not wait here' : null
}

function creations(usable: readonly WarmRunner[], view: PoolView): number {
  const missing = view.desired - usable.length
  if (missing <= 0 || view.backoff > 0) return 0
  const isJustBound = view.sinceBind !== null && view.sinceBind < refillSeconds
  // A smaller pool is empty after one command, which would not have the processor for itself.
  const isShort = view.desired >= 4 && 4 * usable.length < view.desired
  if (isJustBound && !isShort) return 0
  const starting = usable.filter(({ isWaiting }) => !isWaiting).length
  return Math.max(0, Math.min(missing, mostInFlight - starting, view.room))
}

/** Those first that do not wait yet, then the oldest. */
function surplus(
  usable: readonly WarmRunner[],
  { desired, surplusFor }: PoolView,
): PoolPlan['retire'] {
  if (surplusFor < surplusSeconds) return []
  return usable
    .toSorted((a, b) => Number(a.isWaiting) - Number(b.isWaiting) || b.age - a.age)
    .slice(0, Math.max(0, usable.length - desired))
    .map((warmRunner) => ({ warmRunner, why: 'fewer are needed' }))
}
