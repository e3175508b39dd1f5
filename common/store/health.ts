import type { QueueReason } from '../domain/states.ts'
import type { Effects, FailpointName } from '../runtime/effects.ts'

/** Health check and gauges of the database. */
export interface HealthStore {
  /** Throws unless the database answers and has the schema this program needs. */
  ping(): Promise<void>
  gauges(): Promise<Gauges>
  /** Ids of the commands that hold vCPUs or a place among the Jobs of files. */
  findHolding(): Promise<string[]>
}

export interface Gauges {
  readonly byStatus: Record<string, number>
  /** Commands that wait, by what for; a reason for which none waits is absent. */
  readonly waiting: Readonly<Partial<Record<QueueReason | 'NONE', Waiting>>>
  /** vCPUs that admitted commands hold. */
  readonly ledgerVcpus: number
  readonly unmirroredSeconds: number
  readonly undispatchedSeconds: number
  /** Since the first definite error of the row that dispatch has failed to create for longest. */
  readonly dispatchErrorSeconds: number
}

export interface Waiting {
  readonly commands: number
  readonly vcpus: number
  readonly oldestSeconds: number
}

/** Work that a sweep has not finished yet. Counts end at 10,000 each. */
export interface SweepBacklog {
  /** Due, and not tried before. */
  readonly due: number
  /** Failed at least once; tried again after their backoff. */
  readonly failing: number
  /** Since the oldest of both became due; 0 without any. */
  readonly oldestSeconds: number
}

/** The database is unavailable. HTTP answers it with 503 and Retry-After. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super('the database is unavailable', { cause })
    this.name = 'DatabaseUnavailable'
  }
}

/**
 * Retries a commit once if its reply was lost. Only for idempotent statements.
 */
export async function retryLostCommit<T>(
  { failpoint }: Pick<Effects, 'failpoint'>,
  name: FailpointName,
  commit: () => Promise<T>,
): Promise<T> {
  try {
    return await failpoint(name, commit)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return failpoint(name, commit)
  }
}
