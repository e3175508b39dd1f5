import type { LimitedAccount, SharedWait } from './pass.ts'
import type { QueueReason } from '../../common/domain/states.ts'
import type { WaitReason } from '../status/reason.ts'

/** Cause for which an account's commands wait, as the store keeps it for the REST API. */
export type WaitCode =
  Exclude<QueueReason, 'DISPATCH' | 'KUEUE' | 'POLICY' | 'QUOTA_OF_CLUSTER'> | 'ACCOUNT_FILES'

/** An account with commands that wait, as a pass has left it. */
export interface AccountView extends Pick<
  LimitedAccount,
  'vcpuLimit' | 'jobLimit' | 'fileJobLimit'
> {
  /** vCPUs of its commands that run. */
  readonly vcpuInUse: number
  readonly jobs: number
  /** Jobs of stored files. */
  readonly fileJobs: number
  /** vCPUs of its first command that waits; 0: only work on files does. */
  readonly firstVcpus: number
  readonly shared: SharedWait
  /** Quota that commands wait for which fit everything else; null = none does. */
  readonly quotaWait: string | null
  /** Message of the cluster about a command of the account that it has not placed; absent or null: none. */
  readonly clusterWords?: string | null
  /** Why an administrator has paused it; null = it is not paused. */
  readonly pausedWhy: string | null
}

/**
 * @param started the commands that the pass admits
 * @returns null if none of its commands waits any more
 */
export function viewOf(
  account: LimitedAccount,
  started: ReadonlySet<string>,
  shared: SharedWait = { commands: null, files: null },
  quotaWait: string | null = null,
): AccountView | null {
  const { waiting, running, vcpuLimit, jobLimit, fileJobLimit } = account
  const left = waiting.filter(({ commandId }) => !started.has(commandId))
  if (left.length === 0) return null
  const starting = waiting.filter(({ commandId }) => started.has(commandId))
  const using = [...running, ...starting]
  const jobs = using.filter(({ vcpuCount }) => vcpuCount > 0).length
  return {
    vcpuLimit,
    jobLimit,
    fileJobLimit,
    vcpuInUse: using.reduce((sum, { vcpuCount }) => sum + vcpuCount, 0),
    jobs,
    fileJobs: using.length - jobs,
    firstVcpus: left.find(({ vcpuCount }) => vcpuCount > 0)?.vcpuCount ?? 0,
    shared,
    quotaWait,
    pausedWhy: account.pausedWhy,
  }
}

/** @param vcpuCount 0 = work on a stored file */
export function waitReason(view: AccountView, vcpuCount: number): WaitReason & { code: WaitCode } {
  const { vcpuInUse, vcpuLimit, jobs, jobLimit, fileJobs, fileJobLimit } = view
  const isFile = vcpuCount === 0
  if (view.pausedWhy !== null) {
    return {
      code: 'PAUSED',
      reason: 'Paused',
      message: `An administrator has paused the start of commands: ${view.pausedWhy}`,
    }
  }
  if (isFile && fileJobLimit !== null && fileJobs >= fileJobLimit) {
    return {
      code: 'ACCOUNT_FILES',
      reason: 'WaitingForFileJobs',
      message: `The account stores or analyses ${fileJobs} files of at most ${fileJobLimit} at a time`,
    }
  }
  if (!isFile && vcpuLimit !== null && vcpuInUse + vcpuCount > vcpuLimit) {
    return {
      code: 'ACCOUNT_VCPUS',
      reason: 'WaitingForQuota',
      message: `Needs ${vcpuCount} vCPUs; the account uses ${vcpuInUse} of its ${vcpuLimit}`,
    }
  }
  if (!isFile && jobLimit !== null && jobs >= jobLimit) {
    return {
      code: 'ACCOUNT_JOBS',
      reason: 'WaitingForQuota',
      message: `Needs a Job; the account runs ${jobs} of its ${jobLimit}`,
    }
  }
  if (!isFile && view.quotaWait !== null) {
    return { code: 'QUOTA', reason: 'WaitingForQuota', message: view.quotaWait }
  }
  if ((isFile ? view.shared.files : view.shared.commands) === 'reserved') {
    return {
      code: 'FAIR_SHARE',
      reason: 'WaitingForFairShare',
      message:
        'The account uses its share of the cluster; what is free is kept for accounts below theirs that submitted of late',
    }
  }
  return {
    code: 'CAPACITY',
    reason: 'WaitingForCapacity',
    message: view.clusterWords
      ? `Waits for an earlier command, which the cluster has not placed: ${view.clusterWords}`
      : 'Waits for its turn: larger commands before it, or as many vCPUs, Jobs and starting pods as may be at a time',
  }
}
