import type { Clock } from '../../common/runtime/effects.ts'
import type { AccountInPass, RecordedWait } from '../../common/store/admission.ts'

export interface WaitRecords {
  /** Writes in one statement the waits that differ from the recorded ones, at most every five seconds. */
  record(accounts: readonly AccountInPass[], waits: readonly RecordedWait[]): Promise<void>
}

/** Rates of accounts with a recorded reason, which has to be removed when they leave the passes. */
type WithReason = ReadonlyMap<string, number | null>

/** Between two writes of what accounts wait for. */
const recordEveryMs = 5_000
/** A smaller change of a rate is not worth its write. */
const recordedChange = 0.1

export function createWaitRecords(
  clock: Clock,
  write: (waits: readonly RecordedWait[]) => Promise<void>,
): WaitRecords {
  let withReason: WithReason = new Map()
  let recordedMs = -Infinity
  return {
    async record(accounts, waits) {
      const nowMs = clock.monotonicMs()
      if (nowMs - recordedMs < recordEveryMs) return
      const changed = changedWaits(accounts, waits, withReason)
      if (changed.length > 0) {
        recordedMs = nowMs
        await write(changed)
      }
      const reasoned = waits.filter(({ reason }) => reason !== null)
      withReason = new Map(reasoned.map(({ accountId, rateVcpus }) => [accountId, rateVcpus]))
    },
  }
}

/** @param accounts with the reason and the rate that their rows have now */
export function changedWaits(
  accounts: readonly Pick<AccountInPass, 'accountId' | 'reason' | 'rateVcpus'>[],
  waits: readonly RecordedWait[],
  withReason: WithReason,
): RecordedWait[] {
  const recorded = new Map(accounts.map((account) => [account.accountId, account]))
  const changed = waits.filter(({ accountId, reason, rateVcpus }) => {
    const last = recorded.get(accountId)
    return last?.reason !== reason || !isNear(rateVcpus, last.rateVcpus)
  })
  const gone = [...withReason].filter(([accountId]) => !recorded.has(accountId))
  return [
    ...changed,
    ...gone.map(([accountId, rateVcpus]) => ({ accountId, reason: null, rateVcpus })),
  ]
}

function isNear(rate: number | null, recorded: number | null): boolean {
  if (rate === null || recorded === null) return rate === recorded
  return Math.abs(rate - recorded) <= recordedChange * recorded
}
