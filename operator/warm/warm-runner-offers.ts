import type { Clock } from '../../common/runtime/effects.ts'
import type { ReconcileRow } from '../../common/store/reconcile.ts'
import { isUploadProbe } from '../decide/cold-reason.ts'
import type { Caches } from '../observe/caches.ts'
import type { WarmSettings } from '../resources/runner-settings.ts'
import type { KnownWarmRunners } from './known-warm-runners.ts'
import type { WantedWarmRunners } from './offer-shares.ts'
import { createOfferTurns } from './offer-turns.ts'
import type { WarmRunnerWaiters } from './warm-runner-waiters.ts'
import { usableOffers } from './usable-offers.ts'
import type { UsableOffer } from './usable-offers.ts'

/** Gives commands the pods that wait. A reservation in the leader's memory saves a statement; the row decides. */
export interface WarmRunnerOffers {
  /**
   * Reserves a pod for a command of the account; null: there is none for it now. The last one is kept from the probe of
   * an upload: no client waits for that, and the command that the file was uploaded for comes right after it.
   */
  take(row: Pick<ReconcileRow, 'accountId' | 'file'>): UsableOffer | null
  /** The size of a command was refused to a pod of this node. */
  resizeRefused(node: string | null): void
  /** Commands that a warm runner could run and that a pass of admission has chosen, by account. */
  admitting(wanted: ReadonlyMap<string, WantedWarmRunners>): void
}

export interface WarmRunnerOffersDeps {
  readonly caches: Pick<Caches, 'podByUid' | 'isGone' | 'jobs' | 'pods' | 'warmRunnerPodsOf'>
  readonly waiters: Pick<WarmRunnerWaiters, 'offers'>
}

/** A node that has refused a size is left out for this time. */
const fullNodeMs = 60_000

/**
 * @param warm null: no command is given a warm runner
 * @param poolHash of the present settings
 */
export function createWarmRunnerOffers(
  { caches, waiters }: WarmRunnerOffersDeps,
  clock: Clock,
  warm: WarmSettings | null,
  poolHash: () => string,
  known: KnownWarmRunners,
): WarmRunnerOffers {
  const turns = createOfferTurns(clock)
  const fullNodes = new Map<string, number>()

  return {
    take(row) {
      const offers = usable()
      if (isUploadProbe(row) && offers.length < 2) return null
      const taken = turns.take(row.accountId, offers)
      if (taken !== null) known.reserve(taken.job.metadata.name)
      return taken
    },
    resizeRefused(node) {
      if (node !== null) fullNodes.set(node, clock.monotonicMs())
    },
    admitting: (wanted) => turns.admitting(wanted, usable().length),
  }

  function usable(): UsableOffer[] {
    if (warm === null) return []
    return usableOffers(waiters.offers(), caches, {
      ...warm,
      poolHash: poolHash(),
      isNodeFull,
    }).filter(({ job }) => known.isFree(job.metadata.name))
  }

  function isNodeFull(node: string): boolean {
    return clock.monotonicMs() - (fullNodes.get(node) ?? -Infinity) < fullNodeMs
  }
}
