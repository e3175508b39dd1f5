import type { Clock } from '../../common/runtime/effects.ts'
import { offerShares } from './offer-shares.ts'
import type { WantedWarmRunners } from './offer-shares.ts'
import type { UsableOffer } from './usable-offers.ts'

/**
 * Whose turn it is to take a pod that waits. Without turns an account that sends one short command after
 * the other takes each pod as it comes, and the commands of others never find one. In the memory of a
 * leader: the next one begins with a turn for each account.
 */
export interface OfferTurns {
  /**
   * A pass of admission begins.
   * @param wanted what it has chosen, by account
   * @param waiting pods
   */
  admitting(wanted: ReadonlyMap<string, WantedWarmRunners>, waiting: number): void
  /** The pod that the account may take now, which counts as taken; null: the others are kept. */
  take(accountId: string, offers: readonly UsableOffer[]): UsableOffer | null
}

interface Account {
  /** When it last had a command for a warm runner. */
  wantedMs: number
  /** Number of its last pod, over all accounts; 0: it has had none of late. */
  turn: number
}

/** An account that has wanted no pod for this time has no turn. */
const rememberMs = 60_000
/** A pod is kept for others so long; then it serves the account that wants it. */
export const keepMs = 3_000

export function createOfferTurns(clock: Clock): OfferTurns {
  const accounts = new Map<string, Account>()
  /** Pods that each account may take in this pass; an account without an entry is not limited. */
  let shares = new Map<string, number>()
  let turns = 0

  return {
    admitting(wanted, waiting) {
      shares = offerShares(waiting, wanted)
      for (const [accountId, { commands }] of wanted) if (commands > 0) wants(accountId)
    },
    take(accountId, offers) {
      const own = wants(accountId)
      const share = shares.get(accountId)
      if (share === 0) return null
      const kept = keptFrom(own, offers)
      const offer = offers.find((each) => !kept.has(each))
      if (offer === undefined) return null
      own.turn = turns += 1
      if (share !== undefined) shares.set(accountId, share - 1)
      return offer
    },
  }

  function wants(accountId: string): Account {
    const now = clock.monotonicMs()
    for (const [id, { wantedMs }] of accounts) {
      if (now - wantedMs >= rememberMs) accounts.delete(id)
    }
    const account = accounts.get(accountId) ?? { wantedMs: now, turn: 0 }
    account.wantedMs = now
    accounts.set(accountId, account)
    return account
  }

  /** One pod for each account whose last pod is longer ago: the youngest, because they are kept from then on. */
  function keptFrom({ turn }: Account, offers: readonly UsableOffer[]): Set<UsableOffer> {
    const now = clock.monotonicMs()
    const kept = new Set<UsableOffer>()
    const youngest = offers.toSorted((a, b) => a.offer.waitedSeconds - b.offer.waitedSeconds)
    const behind = [...accounts.values()]
      .filter((other) => other.turn < turn)
      .toSorted((a, b) => b.wantedMs - a.wantedMs)
    for (const [index, { wantedMs }] of behind.entries()) {
      const pod = youngest[index]
      if (pod === undefined) break
      const sinceMs = Math.max(wantedMs, now - 1_000 * pod.offer.waitedSeconds)
      if (now - sinceMs < keepMs) kept.add(pod)
    }
    return kept
  }
}
