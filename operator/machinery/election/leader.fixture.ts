import { directly } from '../../../common/runtime/failpoint.ts'
import { expect } from 'chai'
import { Registry } from 'prom-client'
import { sleep } from '../../../common/runtime/effects.ts'
import { createKubeClient } from '../../../common/kubernetes/client.ts'
import { createKubeMetrics } from '../../../common/kubernetes/kube-metrics.ts'
import { createLeases } from '../../../common/kubernetes/resources/leases.ts'
import { silentLogger } from '../../../common/runtime/logger.ts'
import { createFakeKubeApiserver } from '../../../testing/simulator/kube-apiserver/server.ts'
import { createVirtualClock } from '../../../testing/support/virtual-clock.ts'
import { createLeaderMetrics } from './leader-metrics.ts'
import { leaderTiming } from './leader-timing.ts'
import { createLeader } from './leader.ts'
import type { Clock } from '../../../common/runtime/effects.ts'
import type { KubeTransport } from '../../../common/kubernetes/transport.ts'
import type { Leader, Term } from './leader.ts'

export interface Candidate {
  readonly identity: string
  readonly leader: Leader
  readonly log: string[]
  readonly stop: AbortController
  readonly ended: Promise<void>
  /** The present term, or the last one. */
  term(): Term
  setFrozen(isFrozen: boolean): void
  setCut(isCut: boolean): void
}

/** An election for each test of the present `describe`, which must leave no timer behind. */
export function useElection(): Election {
  const election = {} as Election
  beforeEach(() => void Object.assign(election, createElection()))
  afterEach(async () => {
    expect(await election.end()).to.equal(0)
  })
  return election
}

type Election = ReturnType<typeof createElection>

/** Candidates for one Lease on an API server in the process, on a virtual clock. */
function createElection() {
  const clock = createVirtualClock()
  const server = createFakeKubeApiserver({ clock, random: () => 0.5 })
  const candidates: Candidate[] = []
  return {
    clock,
    server,
    join,
    holder,
    /** Ends all candidates. @returns how many timers they leave behind */
    async end(): Promise<number> {
      for (const candidate of candidates) {
        candidate.setFrozen(false)
        candidate.stop.abort()
      }
      await clock.advance(60_000)
      return clock.pendingTimers()
    },
  }

  /** A process of its own: its timers stand still while it is frozen, its network while it is cut. */
  function join(
    identity: string,
    { earlyMs = 0, workEndsAfterMs = 0, knownEnds = [] as string[], waitsUntilMs = 0 } = {},
  ): Candidate {
    const log: string[] = []
    const stop = new AbortController()
    let isFrozen = false
    let isCut = false
    let waiting: (() => void)[] = []
    const ownClock: Clock = {
      monotonicMs: () => clock.monotonicMs(),
      wall: () => clock.wall(),
      schedule: (delayMs, callback) =>
        clock.schedule(delayMs - earlyMs, () =>
          isFrozen ? void waiting.push(callback) : callback(),
        ),
    }
    const transport: KubeTransport = async (request) => {
      const response = await server.transport(request)
      if (isCut) throw new Error('connection reset')
      return response
    }
    const registry = new Registry()
    const client = createKubeClient({
      transport,
      clock: ownClock,
      random: () => 0.5,
      metrics: createKubeMetrics(registry),
    })
    let present: Term | null = null
    const leader = createLeader({
      timing: leaderTiming({ leaseSeconds: 4, renewSeconds: 1, stopSeconds: 3 }),
      leases: createLeases(client),
      namespace: 'n',
      name: 'operator',
      identity,
      clock: ownClock,
      failpoint: directly,
      address: `10.0.0.1:${identity}`,
      hasEnded: async (other) => knownEnds.includes(other) && clock.monotonicMs() >= waitsUntilMs,
      async lead(term) {
        present = term
        log.push('acquired')
        term.lost.addEventListener('abort', () => log.push('lost'))
        await new Promise((resolve) => term.signal.addEventListener('abort', resolve))
        if (workEndsAfterMs > 0) await sleep(clock, workEndsAfterMs)
        log.push('ended')
      },
      onStuck: () => log.push('stuck'),
      metrics: createLeaderMetrics(registry),
      logger: silentLogger,
    })
    const candidate = {
      identity,
      leader,
      log,
      stop,
      ended: leader.run(stop.signal),
      term() {
        if (present === null) throw new Error(`${identity} never led`)
        return present
      },
      setFrozen(frozen: boolean) {
        isFrozen = frozen
        if (frozen) return
        const due = waiting
        waiting = []
        for (const callback of due) callback()
      },
      setCut(cut: boolean) {
        isCut = cut
      },
    }
    candidates.push(candidate)
    return candidate
  }

  function holder(): unknown {
    return server.cluster.get('Lease', 'n', 'operator')?.spec?.['holderIdentity']
  }
}
