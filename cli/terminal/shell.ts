import type { Client } from '../client/client.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { ProgressLine } from './progress-line.ts'

/** The environment of a command. */
export interface Shell {
  /** @throws UsageError if the environment has no service or key */
  readonly client: () => Client
  /** Prints a line of the result to standard output. */
  readonly print: (line: string) => void
  /** Writes text to standard output without a line end. */
  readonly write: (text: string) => void
  /** Progress and errors, on standard error. */
  readonly progress: ProgressLine
  /** Aborts with the first Ctrl-C. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Path of the journal of an unfinished upload; the hash in it includes service and key. */
  readonly journalFor: (file: string, isPrivate: boolean) => string
}

/** Resolves with the exit code. */
export type CliCommand = (args: string[], shell: Shell) => Promise<number>

const mebibyte = 1_048_576

/** As in the API: MB of 1,048,576 bytes. */
export function mbytes(bytes: number): string {
  return mbytesText(bytes / mebibyte)
}

export function mbytesText(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} MB`
}

export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.floor((part / whole) * 100)} %`
}
