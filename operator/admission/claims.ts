import { roomBelowShare } from './pool.ts'
import type { Slice } from './pool.ts'
import { poolNames } from './pools.ts'
import type { PoolName } from './pools.ts'
import type { LimitedAccount, Submitter } from './pass.ts'

/** Usage and limits of an account in the pass. */
export interface Claimant extends Readonly<Record<PoolName, Slice>> {
  readonly account: Pick<LimitedAccount, 'vcpuLimit' | 'jobLimit' | 'fileJobLimit' | 'pausedWhy'>
  readonly ownVcpus: number
}

/** Shares of the pools that accounts which submitted of late may still take. */
export interface Claims {
  /** The largest claim on the pool of all accounts but this one; 0 = none. */
  besides(pool: PoolName, accountId: string): number
  /** A command was started. */
  changed(): void
}

/**
 * @param present accounts that wait or run, by id; the others run nothing and so are below their share
 * @param capacityVcpus Infinity = unknown
 */
export function createClaims(
  submitters: readonly Submitter[],
  present: ReadonlyMap<string, Claimant>,
  capacityVcpus: number,
): Claims {
  /** The two largest claims on a pool, of two accounts. */
  const largest = new Map<PoolName, readonly Claim[]>()
  return {
    besides(pool, accountId) {
      const claims = largest.get(pool) ?? largestClaims(pool)
      largest.set(pool, claims)
      return claims.find((claim) => claim.accountId !== accountId)?.amount ?? 0
    },
    changed: () => largest.clear(),
  }

  function largestClaims(pool: PoolName): readonly Claim[] {
    let first: Claim | null = null
    let second: Claim | null = null
    for (const submitter of submitters) {
      const { accountId } = submitter
      const asked = askedOf(submitter, capacityVcpus)[pool]
      const claimant = present.get(accountId)
      const amount = claimant === undefined ? asked : claimOf(claimant, { pool, asked })
      if (first === null || amount > first.amount) {
        second = first
        first = { accountId, amount }
      } else if (second === null || amount > second.amount) {
        second = { accountId, amount }
      }
    }
    return [first, second].filter((claim) => claim !== null)
  }
}

interface Claim {
  readonly accountId: string
  readonly amount: number
}

/** The most that one of the accounts asked for of each pool. */
export function largestAsked(submitters: readonly Submitter[], capacityVcpus: number): Asked {
  const most = { vcpus: 0, jobs: 0, fileJobs: 0, starts: 0 }
  for (const submitter of submitters) {
    const asked = askedOf(submitter, capacityVcpus)
    for (const pool of poolNames) most[pool] = Math.max(most[pool], asked[pool])
  }
  return most
}

type Asked = Readonly<Record<PoolName, number>>

/** Work on a file takes one vCPU of the cluster. */
function askedOf({ largestVcpus, hasFiles }: Submitter, capacityVcpus: number): Asked {
  const [jobs, fileJobs] = [largestVcpus > 0 ? 1 : 0, hasFiles ? 1 : 0]
  const vcpus = Math.min(Math.max(largestVcpus, fileJobs), capacityVcpus)
  return { vcpus, jobs, fileJobs, starts: 1 }
}

/** Claim within the account's own limits: room above them is not reserved. */
function claimOf(
  claimant: Claimant,
  { pool, asked }: { readonly pool: PoolName; readonly asked: number },
): number {
  const { account, ownVcpus, jobs, fileJobs } = claimant
  if (account.pausedWhy !== null) return 0
  const left = (limit: number | null, used: number): number =>
    limit === null || used === 0 ? Infinity : Math.max(0, limit - used)
  const ownRoom = {
    vcpus: left(account.vcpuLimit, ownVcpus),
    jobs: left(account.jobLimit, jobs.used),
    fileJobs: left(account.fileJobLimit, fileJobs.used),
    starts: Infinity,
  }
  return Math.min(ownRoom[pool], roomBelowShare(claimant[pool], asked))
}
