import type { AccountInPass } from '../../common/store/admission.ts'
import type { Fit } from './pool.ts'

/** Commands, and work on stored files: each has limits of its own and none delays the other. */
export type Lane = 'commands' | 'files'

export interface LimitedAccount extends AccountInPass {
  readonly weight: number
  /** Limits of the account; null = none. */
  readonly vcpuLimit: number | null
  readonly jobLimit: number | null
  readonly fileJobLimit: number | null
}

/** Limits of all accounts together. */
export interface PassLimits {
  /** null = unknown */
  readonly capacityVcpus: number | null
  readonly liveJobs: number
  readonly liveFileJobs: number
  /** Part of each limit that is kept for `submitters` below their share, 0 to 0.5; 0 = none. */
  readonly reservedShare: number
  /** The accounts that the reserve is for, if they are below their share. */
  readonly submitters: readonly Submitter[]
  /** Pods that start at a time; null = no limit. */
  readonly startingPods: number | null
  /** A command is not passed any more once it has waited this long. */
  readonly passSeconds: number
  /** Pods of an account that may be without a node, and those that are. */
  readonly unscheduled: Unscheduled
}

export interface Unscheduled {
  /** Most of an account. */
  readonly limit: number
  /** The same for single accounts. */
  readonly limits?: ReadonlyMap<string, number>
  readonly of: ReadonlyMap<string, number>
  /** Commands whose pods have had no node for a minute: they take nothing from others. */
  readonly stuck?: ReadonlySet<string>
}

/** An account that submitted of late. */
export interface Submitter {
  readonly accountId: string
  /** vCPUs of its largest command of late; 0 = it had work on files alone. */
  readonly largestVcpus: number
  readonly hasFiles: boolean
}

/** Why an account's lanes wait for other accounts; null = they do not. */
export type SharedWait = Readonly<Record<Lane, Exclude<Fit, 'fits'> | null>>
