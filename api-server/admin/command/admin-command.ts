import type { BucketCors } from '../../../common/storage/bucket/bucket-cors.ts'
import type { BucketSetUp } from '../../../common/storage/bucket/bucket-set-up.ts'
import type { ObjectListing, S3 } from '../../../common/storage/object-store.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { Plans } from '../../../common/domain/plans.ts'
import type { Store } from '../../../common/store/store.ts'
import type { RandomBytes } from '../../accounts/secrets.ts'

export interface AdminDeps {
  readonly store: Store
  /** Runs `work` on a store whose changes are rolled back. */
  readonly rehearse: <T>(work: (store: Store) => Promise<T>) => Promise<T>
  /** Shows how far a command is that takes long. */
  readonly report: (text: string) => void
  readonly plans: Plans
  /** Plan of accounts that are created without one. */
  readonly defaultPlan: string
  readonly newId: () => string
  readonly effects: Pick<Effects, 'failpoint' | 'clock'>
  /** Name of the pod that runs it. */
  readonly host: string
  readonly randomBytes: RandomBytes
  /** Names of the migrations that the database has. */
  readonly readMigrations: () => Promise<readonly string[]>
  readonly process: AdminProcess
  /** Loads the S3 client, which most commands do not need. */
  readonly openStorage: () => Promise<StorageAdmin>
  readonly openObjects: () => Promise<ObjectsAdmin>
}

/** Facts about the process and the server beside it in the pod. */
export interface AdminProcess {
  readonly version: string
  /** The settings of the file. */
  readonly settings: object
  readonly environment: Readonly<Record<string, string | undefined>>
  /** `/metrics` of the API server; null: it does not answer. */
  readonly readMetrics: () => Promise<string | null>
}

export interface StorageAdmin {
  readonly bucket: string
  readonly cors: BucketCors
  readonly setUp: BucketSetUp
  /** Base of the public URLs of objects. */
  readonly publicBaseUrl: string
  readonly fetch: typeof fetch
}

/** The objects of this installation in the bucket. */
export interface ObjectsAdmin {
  readonly bucket: string
  readonly objects: ObjectListing & Pick<S3, 'close'>
}

/** One command of the administration: one or two words, positional arguments, options. */
export interface AdminCommand {
  /** `accounts create` */
  readonly name: string
  readonly summary: string
  /** Names in order, all required: `NAME`; the last may be `NAME...`, one or more. */
  readonly positionals: readonly string[]
  readonly options: Readonly<Record<string, AdminOption>>
  /** Default false: each run is kept as an action. */
  readonly readsOnly?: boolean
  /** The option with which a command that otherwise reads only changes the database: that run is kept as an action. */
  readonly changesWith?: string
  /** Default true. If false, the command works without a database. */
  readonly needsDatabase?: boolean
  /** Default: that of a command which changes the database and nothing else. If true, it takes `--dry-run`. */
  readonly canRehearse?: boolean
  /** The command itself changes nothing in a rehearsal, because it takes longer than a transaction may. */
  readonly rehearsesItself?: boolean
  run(deps: AdminDeps, given: Given): Promise<AdminResult>
}

export interface AdminOption {
  /** Name of the value in the usage; absent if the option takes none. */
  readonly value?: string
  /** The option may be repeated. */
  readonly many?: boolean
  readonly summary: string
}

export interface Given {
  /** @throws Error if the command did not declare it */
  positional(name: string): string
  /** All values of the last positional argument, `NAME...`. */
  rest(name: string): readonly string[]
  option(name: string): string | null
  /** All values of an option that may be repeated. */
  options(name: string): string[]
  flag(name: string): boolean
  /** The changes will be rolled back. */
  readonly isRehearsal: boolean
}

export interface AdminResult {
  /** Output for people. */
  readonly text: string
  /** Output with `--json`; keys as in the REST API. */
  readonly json: unknown
  /** The check that the command makes failed: the result is printed, and the exit code is 1. */
  readonly failed?: boolean
}

/** An error that the administrator can correct; the message names the argument and the remedy. */
export class AdminError extends Error {
  /** 1: refused; 2: the command line is invalid. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.name = 'AdminError'
    this.exitCode = exitCode
  }
}
