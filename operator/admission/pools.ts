import { poolOf } from './pool.ts'
import type { Pool, ReserveBounds } from './pool.ts'
import type { PassLimits } from './pass.ts'

/** Pools that all accounts share: vCPUs of the cluster, Jobs of commands and of files, and pods that start. */
export const poolNames = ['vcpus', 'jobs', 'fileJobs', 'starts'] as const
export type PoolName = (typeof poolNames)[number]

/** Jobs that two new accounts start. */
const newcomerJobs = 2
/** Starts that a new account needs. */
const newcomerStarts = 1
/** The part of a pool that is kept at most. A start takes its place for seconds only, so more of them may be. */
const largestPart = { ofMost: 1 / 4, ofStarts: 1 / 2 }

export function poolsOf(limits: PassLimits): Readonly<Record<PoolName, Pool>> {
  const { capacityVcpus, liveJobs, liveFileJobs, startingPods, reservedShare } = limits
  const reserve = (total: number | null, newcomer: number, part: number): ReserveBounds =>
    total === null || reservedShare === 0
      ? { least: 0, most: 0 }
      : { least: Math.max(total * reservedShare, newcomer), most: Math.floor(total * part) }
  return {
    vcpus: poolOf(capacityVcpus, reserve(capacityVcpus, 0, largestPart.ofMost)),
    jobs: poolOf(liveJobs, reserve(liveJobs, newcomerJobs, largestPart.ofMost)),
    fileJobs: poolOf(liveFileJobs, reserve(liveFileJobs, newcomerJobs, largestPart.ofMost)),
    starts: poolOf(startingPods, reserve(startingPods, newcomerStarts, largestPart.ofStarts)),
  }
}
