import type { CommandStatus } from '../../domain/states.ts'
import type { Mark } from '../command-states.ts'
import type { OutcomeCommit } from '../attempts.ts'

/** An attempt whose end has just been committed; all times are by the clock of the database. */
export interface EndedAttempt {
  readonly claimedAt: Date
  readonly endedAt: Date
  /** Marks of this attempt, oldest first. */
  readonly marks: readonly Mark[]
}

/** A command whose end has just been committed. */
export interface EndedCommand {
  readonly status: CommandStatus
  readonly createdAt: Date
  /** When its custom resource existed. */
  readonly dispatchedAt: Date | null
  readonly admittedAt: Date | null
  readonly finishedAt: Date
  /** null = it ended without an attempt that holds it. */
  readonly attempt: EndedAttempt | null
}

/** Is called once per commit, after it, by the process that committed. */
export interface LifecycleObserver {
  /** @param command null for work on a stored file */
  ended(command: EndedCommand | null, commit: OutcomeCommit): void
  attemptLost(attempt: EndedAttempt): void
  /** A custom resource shows an end, so many seconds after its commit. */
  mirrored(seconds: number): void
}

export const unobserved: LifecycleObserver = {
  ended: () => undefined,
  attemptLost: () => undefined,
  mirrored: () => undefined,
}
