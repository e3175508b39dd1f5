import type { Client } from '../client/client.ts'
import type { Clock } from '../../common/runtime/effects.ts'
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

const mebibyte = 1_048_576

/** As the service counts: MB of 1,048,576 bytes. */
export function mbytes(bytes: number): string {
  return mbytesText(bytes / mebibyte)
}

export function mbytesText(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} MB`
}

export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.floor((part / whole) * 100)} %`
}
