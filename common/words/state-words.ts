import { failures } from '../domain/failures.ts'
import type { ErrorStatus } from '../domain/failures.ts'
import type { CommandStatus } from '../domain/states.ts'

interface Which {
  readonly statuses: readonly CommandStatus[]
  /** Null: all, and none for a command that is done. */
  readonly errorStatuses: readonly ErrorStatus[] | null
}

const causes = Object.keys(failures) as ErrorStatus[]

/**
 * Words by which people choose commands, in the tool and in the administration. FAILED is the state of failed and
 * cancelled commands; their cause tells them apart.
 */
export const stateWords: Readonly<Record<string, Which>> = {
  queued: { statuses: ['QUEUED'], errorStatuses: null },
  running: { statuses: ['PROCESSING', 'PREPARED_FFMPEG_COMMAND'], errorStatuses: null },
  failed: {
    statuses: ['FAILED'],
    errorStatuses: causes.filter((cause) => cause !== 'CANCELLED'),
  },
  cancelled: { statuses: ['FAILED'], errorStatuses: ['CANCELLED'] },
  done: { statuses: ['SUCCESS'], errorStatuses: null },
}
