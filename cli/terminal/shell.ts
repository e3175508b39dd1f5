import { addressProblem } from '../client/send.ts'
import { UsageError } from './usage-error.ts'
import type { Client } from '../client/client.ts'
import type { Connection } from './profiles.ts'
import type { ProfileFile } from './profile-file.ts'
import type { Asker } from './ask.ts'
import type { Clock } from '../../common/runtime/effects.ts'
import type { ProgressLine } from './progress-line.ts'

/** The machine and the person that the tool works for. */
export interface Machine {
  /**
   * @param profile named on the command line, or null
   * @throws UsageError if there is no service or key
   */
  readonly connection: (profile: string | null) => Connection
  readonly clientFor: (target: Pick<Connection, 'url' | 'apiKey'>) => Client
  readonly fetch: typeof fetch
  readonly profiles: ProfileFile
  readonly ask: Asker['ask']
  /** Prints a line of the result to standard output. */
  readonly print: (line: string) => void
  /** Writes text to standard output without a line end. */
  readonly write: (text: string) => void
  /** Progress and errors, on standard error. */
  readonly progress: ProgressLine
  /** Aborts with the first Ctrl-C. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Opens a page in the browser of this machine. @returns false where there is none */
  readonly openPage: (url: string) => Promise<boolean>
  /** Lets the user change a text in an editor. @throws Error if the editor fails */
  readonly edit: (text: string, name: string) => Promise<string>
  /** Replaces the content of the terminal by these lines; null if standard output is not a terminal. */
  readonly redraw: ((lines: readonly string[]) => void) | null
  /** Path of the journal of an unfinished upload; the hash in it includes service and key. */
  readonly journalFor: (connection: Connection, file: string, isPrivate: boolean) => string
}

/** The environment of a command: the machine with the service that the call talks to. */
export interface Shell extends Omit<Machine, 'connection' | 'journalFor'> {
  /** @throws UsageError if there is no service or key */
  readonly connection: () => Connection
  /** @throws UsageError if there is no service or key */
  readonly client: () => Client
  readonly journalFor: (file: string, isPrivate: boolean) => string
}

export function shellOf(machine: Machine, profile: string | null): Shell {
  const connection = (): Connection => machine.connection(profile)
  return {
    ...machine,
    connection,
    client() {
      const target = connection()
      const problem = addressProblem(target.url)
      if (problem !== null) throw new UsageError(`${target.urlFrom}: ${problem}`)
      return machine.clientFor(target)
    },
    journalFor: (file, isPrivate) => machine.journalFor(connection(), file, isPrivate),
  }
}

const mebibyte = 1_048_576

/** MB of 1,048,576 bytes, the unit of the API. */
export function mbytes(bytes: number): string {
  return mbytesText(bytes / mebibyte)
}

export function mbytesText(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} MB`
}

export function percent(part: number, whole: number): string {
  return `${whole === 0 ? 100 : Math.floor((part / whole) * 100)} %`
}
