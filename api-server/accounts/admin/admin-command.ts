import type { Store } from '../../../common/store/store.ts'
import type { RandomBytes } from '../secret.ts'

export interface AdminDeps {
  readonly store: Store
  /** Names of the configured plans. */
  readonly plans: readonly string[]
  /** Of accounts that are created without one. */
  readonly defaultPlan: string
  readonly newId: () => string
  readonly randomBytes: RandomBytes
}

/** One command of the administration: two words, positional arguments, options. */
export interface AdminCommand {
  /** `accounts create` */
  readonly name: string
  readonly summary: string
  /** In order, all needed: `NAME`. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, AdminOption>>
  run(deps: AdminDeps, given: Given): Promise<AdminResult>
}

export interface AdminOption {
  /** What stands for the value in the usage; absent: the option takes none. */
  readonly value?: string
  readonly summary: string
}

export interface Given {
  /** @throws where the command did not declare it */
  positional(name: string): string
  option(name: string): string | null
  flag(name: string): boolean
}

export interface AdminResult {
  /** For people. */
  readonly text: string
  /** For `--json`; keys as in the REST API. */
  readonly json: unknown
}

/** What the administrator can put right; the message names the argument and the remedy. */
export class AdminError extends Error {
  /** 1: refused; 2: the command line cannot be read. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'AdminError'
    this.exitCode = exitCode
  }
}
