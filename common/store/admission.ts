import type { Account } from './accounts.ts'

/**
 * A slower start waits for a node, an image or the backoff of its Job, so it takes little of the
 * processors that start pods.
 */
export const startSeconds = 30

/** Store methods of admission: what waits and runs, and the start of what was chosen. */
export interface AdmissionStore {
  /**
   * Reads what a pass of admission decides by: of each account the oldest dispatched commands that
   * wait, at most `heads` of each lane (commands, work on stored files), and all that run.
   */
  findWaiting(query: { heads: number }): Promise<AccountInPass<AdmittedCommand>[]>
  /** The newest dispatched command of each account and size that was submitted within the time. */
  findSubmissions(query: { withinSeconds: number }): Promise<Submission[]>
  /**
   * One transaction that excludes other admissions: sums again what is running and admits those of
   * the commands, in the account's order, that still wait and fit all limits (`jobGeneration` becomes 1). A
   * smaller one may pass a larger one until the larger has waited `passSeconds`.
   * @returns ids admitted now, and how many of `commandIds` remain
   */
  admit(request: AdmissionRequest): Promise<Admission>
  /**
   * Takes an admitted command that no runner ever had back into the queue of its account, where it keeps its place. Its
   * next admission is another generation: a pod of this one gets nothing.
   * @returns false if it has had a runner, ended, or is not in that generation
   */
  returnToQueue(command: { commandId: string; jobGeneration: number }): Promise<boolean>
  /**
   * Records why the accounts' commands wait, null = they do not, and how fast the accounts are served.
   * Changes nothing for an account that is gone.
   */
  recordWaits(waits: readonly RecordedWait[]): Promise<void>
}

export interface RecordedWait {
  readonly accountId: string
  readonly reason: string | null
  /** vCPUs at a time; null = unknown. */
  readonly rateVcpus: number | null
}

/** An account with commands that wait or run. */
export interface AccountInPass<Running = RunningCommand> extends Pick<
  Account,
  'accountId' | 'name' | 'plan' | 'limits'
> {
  /** vCPU-seconds of all its commands that were released. */
  readonly usedVcpuSeconds: number
  /** Reason that `recordWaits` wrote last. */
  readonly reason: string | null
  readonly rateVcpus: number | null
  /** Why an administrator has paused the account's queue, or else admission; null = neither is paused. */
  readonly pausedWhy: string | null
  /** First in the account's order first, both lanes. */
  readonly waiting: readonly WaitingCommand[]
  readonly running: readonly Running[]
}

export interface Submission {
  readonly accountId: string
  /** 0 = work on a stored file. */
  readonly vcpuCount: number
  readonly secondsAgo: number
}

export interface WaitingCommand {
  readonly commandId: string
  /** 0 = work on a stored file. */
  readonly vcpuCount: number
  readonly waitedSeconds: number
  /** Age of the command's place in the order of its account; negative while low priority delays it. */
  readonly queuedSeconds: number
}

/** Admitted and not released. */
export interface RunningCommand {
  readonly commandId: string
  readonly vcpuCount: number
  /** Since it holds its vCPUs. */
  readonly runningSeconds: number
  /** The end is recorded, and the pod has not gone yet. */
  readonly isEnding: boolean
  /** The generation began less than `startSeconds` ago, and no runner has the command yet. */
  readonly isStarting: boolean
}

/** The same with what tells whether it can be returned to its queue. */
export interface AdmittedCommand extends RunningCommand {
  readonly jobGeneration: number
  /** No runner ever had it. */
  readonly isNew: boolean
}

export interface AdmissionRequest {
  /** Quotas of the account in MB; null or absent: none. */
  readonly quota?: {
    readonly processingMbytes: number | null
    readonly storageMbytes: number | null
  } | null
  readonly accountId: string
  readonly commandIds: readonly string[]
  readonly passSeconds: number
  /** Limits of the account; null = none. */
  readonly vcpuLimit: number | null
  readonly jobLimit: number | null
  readonly fileJobLimit: number | null
  /** Limits of all accounts together. Work on a stored file counts as one vCPU of the capacity. */
  readonly liveJobLimit: number
  readonly liveFileJobLimit: number
  readonly capacityVcpus: number | null
}

export interface Admission {
  /** Ended as QUOTA_EXCEEDED, because a quota of the account is used up; absent: none. */
  readonly ended?: readonly string[]
  /** Quota that commands wait for which fit all other limits; absent: none does. */
  readonly quotaWait?: string
  readonly admitted: string[]
  readonly waiting: number
  /** vCPUs that the account's admitted commands hold. */
  readonly vcpuInUse: number
}
