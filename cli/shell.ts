import type { Client } from './client/client.ts'
import type { Clock } from '../common/runtime/effects.ts'
import type { ProgressLine } from './progress-line.ts'

/** What a command has of the world around it. */
export interface Shell {
  /** @throws UsageError where the environment names no service or key */
  readonly client: () => Client
  /** Results: one line each, for people and for pipes. */
  readonly print: (line: string) => void
  /** The same as it stands, without a line end. */
  readonly write: (text: string) => void
  /** All else goes to standard error. */
  readonly progress: ProgressLine
  /** Aborts with the first Ctrl-C. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Remembers unfinished uploads; the name of the service and of the key are in the hash. */
  readonly journalFor: (file: string, isPrivate: boolean) => string
}

/** Resolves with the exit code. */
export type CliCommand = (args: string[], shell: Shell) => Promise<number>
