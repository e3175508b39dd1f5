import { expect } from 'chai'
import { Registry } from 'prom-client'
import { KubeError } from '../../common/kubernetes/kube-error.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { silentLogger } from '../../common/runtime/logger.ts'
import type { BoundStandby } from '../../common/store/standbys.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { job, runnerSettings, warmSettings } from '../decide/snapshot.fixture.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import { standbyHash } from '../resources/standby-job.ts'
import { createWarmMetrics } from './warm-metrics.ts'
import { createWarmPool } from './warm-pool.ts'

const signal = new AbortController().signal

describe('the pool of a leader', () => {
  it('creates what it lacks once, also while it does not see it yet', async () => {
    const { pool, created } = poolWith({ warm: warmSettings({ min: 2, max: 2 }) })
    await pool.round(signal)
    await pool.round(signal)
    expect(created).to.have.length(2)
    expect(new Set(created).size).to.equal(2)
  })

  it('creates none when the cluster cannot resize pods', async () => {
    const { pool, created } = poolWith({ warm: warmSettings({ min: 2, max: 2 }), canResize: false })
    await pool.round(signal)
    expect(created).to.deep.equal([])
  })

  it('retires a Job at the version that it has seen, and only if the database does not know it', async () => {
    const old = standbyJob('ffw-00000000-1', '00000000')
    const used = standbyJob('ffw-00000000-2', '00000000')
    const bound = [{ standbyJob: 'ffw-00000000-2', podUid: 'p', commandId: 'c', isLive: true }]
    const { pool, deleted } = poolWith({ warm: warmSettings({ min: 0 }), jobs: [old, used], bound })
    await pool.round(signal)
    expect(deleted).to.deep.equal([
      {
        namespace: 'media',
        name: 'ffw-00000000-1',
        uid: 'uid of ffw-00000000-1',
        resourceVersion: '9',
      },
    ])
  })

  it('retires all standbys when the setting is absent', async () => {
    const { pool, deleted } = poolWith({
      warm: null,
      jobs: [standbyJob('ffw-00000000-1', '00000000')],
    })
    await pool.round(signal)
    expect(deleted).to.have.length(1)
  })

  it('waits longer after each standby that fails or is refused', async () => {
    const { pool, created, clock, refuse } = poolWith({ warm: warmSettings({ min: 1, max: 1 }) })
    refuse(true)
    const triedAfter: number[] = []
    for (let second = 0; second < 40; second += 1) {
      const before = created.length
      await pool.round(signal)
      if (created.length > before) triedAfter.push(second)
      await clock.advance(1_000)
    }
    const pauses = triedAfter.slice(1).map((at, index) => at - (triedAfter[index] ?? 0))
    expect(pauses.length).to.be.within(3, 6)
    expect(pauses).to.deep.equal(pauses.toSorted((a, b) => a - b))
  })

  it('counts a Job that has failed without a command', async () => {
    const warm = warmSettings({ min: 1, max: 1 })
    const hash = standbyHash(runnerSettings({ warm }), warm)
    const ending = { reason: 'BackoffLimitExceeded', message: '' }
    const jobs = [standbyJob(`ffw-${hash}-1`, hash, { ending, finished: true })]
    const { pool, created, registry } = poolWith({ warm, jobs })
    await pool.round(signal)
    expect(created).to.deep.equal([])
    expect(await registry.metrics()).to.match(
      /warm_failures_total{reason="BackoffLimitExceeded"} 1/,
    )
  })
})

function standbyJob(name: string, poolHash: string, changes: Partial<JobFacts> = {}): JobFacts {
  return job({
    metadata: { name, uid: `uid of ${name}`, resourceVersion: '9' },
    ...{ commandId: null, round: 0, ownerUid: null, specHash: null, standby: { poolHash } },
    ...changes,
  })
}

function poolWith(given: {
  warm: ReturnType<typeof warmSettings> | null
  jobs?: readonly JobFacts[]
  bound?: BoundStandby[]
  canResize?: boolean
}) {
  const { warm, jobs = [], bound = [], canResize = true } = given
  const clock = createVirtualClock()
  const registry = new Registry()
  const created: string[] = []
  const deleted: object[] = []
  let isRefused = false
  const pool = createWarmPool({
    store: {
      boundStandbys: async (names) => bound.filter(({ standbyJob: name }) => names.includes(name)),
      standbyDemand: async () => ({ most: 0, idleSeconds: 1 }),
    },
    jobs: {
      async create(_namespace, body) {
        created.push('metadata' in body ? JSON.stringify(body.metadata) : '')
        if (isRefused) throw quotaError
        // A reply that was lost: the client finds the name taken.
        throw new KubeError({ ...facts, errorClass: 'exists' })
      },
      async delete(target) {
        deleted.push(target)
        return 'deleted'
      },
    },
    caches: {
      standbyJobs: () => [...jobs],
      standbyPodsOf: () => [],
      podByUid: () => null,
      isGone: () => false,
      jobs: {
        ...cache,
        get: (name) => jobs.find(({ metadata }) => metadata.name === name) ?? null,
      },
    },
    waiters: { offers: () => [], answer: () => false },
    namespace: 'media',
    term: { mustHold: () => undefined },
    effects: { clock, random: () => 0.5, newId: () => 'id', failpoint: directly },
    metrics: createWarmMetrics(registry),
    logger: silentLogger,
    settings: { runner: runnerSettings({ warm }), liveJobs: 100 },
    canResize: async () => canResize,
    wakeAfter: () => undefined,
  })
  const refuse = (refused: boolean): void => void (isRefused = refused)
  return { pool, created, deleted, clock, registry, refuse }
}

const facts = { message: '', status: 403, reason: null, retryAfterMs: null } as const
const quotaError = new KubeError({ ...facts, errorClass: 'quota' })
const cache = {
  list: () => [],
  byIndex: () => [],
  refresh: async () => null,
  run: async () => undefined,
  synced: Promise.resolve(),
  isSynced: () => true,
  msSinceContact: () => 0,
}
