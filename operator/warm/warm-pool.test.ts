import { expect } from 'chai'
import { Registry } from 'prom-client'
import { KubeError } from '../../common/kubernetes/kube-error.ts'
import { directly } from '../../common/runtime/failpoint.ts'
import { loggerWith } from '../../common/runtime/logger.ts'
import type { BoundWarmRunner } from '../../common/store/warm-runners.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { runnerSettings, warmSettings } from '../../testing/support/operator/settings.ts'
import type { JobFacts } from '../observe/job-facts.ts'
import type { PodFacts } from '../observe/pod-facts.ts'
import type { KueueSettings } from '../resources/kueue.ts'
import { warmRunnerHash } from '../resources/warm-runner-job.ts'
import { warmRunnerJob, warmRunnerPod } from './warm-runner.fixture.ts'
import { createWarmMetrics } from './warm-metrics.ts'
import { createWarmPool } from './warm-pool.ts'

const signal = new AbortController().signal
const kueueSettings: KueueSettings = {
  queueName: 'media',
  priorityClasses: { high: null, normal: null, low: null },
  maxEvictions: 3,
}
const ofOldSettings = { warmRunner: { poolHash: '00000000' } }

describe('the pool of a leader', () => {
  it('creates what it lacks once, also while it does not see it yet', async () => {
    const { pool, created } = poolWith({ warm: warmSettings({ min: 2, max: 2 }) })
    await pool.pass(signal)
    await pool.pass(signal)
    expect(created).to.have.length(2)
    expect(new Set(created).size).to.equal(2)
  })

  it('creates none when the cluster cannot resize pods', async () => {
    const { pool, created } = poolWith({ warm: warmSettings({ min: 2, max: 2 }), canResize: false })
    await pool.pass(signal)
    expect(created).to.deep.equal([])
  })

  it('says why it is off, and counts each miss by that', async () => {
    const warm = warmSettings({ min: 2, max: 2 })
    const offOf = async (given: Parameters<typeof poolWith>[0]) => {
      const { pool, metrics, registry } = poolWith(given)
      await pool.pass(signal)
      metrics.missed('empty')
      const text = await registry.metrics()
      return [...text.matchAll(/warm_(?:off|misses_total){reason="(\w+)"} 1$/gm)].map(
        ([, reason]) => reason,
      )
    }
    expect(await offOf({ warm })).to.deep.equal(['empty'])
    expect(await offOf({ warm, canResize: false })).to.deep.equal(['off', 'resize'])
    expect(await offOf({ warm: null })).to.deep.equal(['off', 'setting'])
    expect(await offOf({ warm: null, kueue: kueueSettings })).to.deep.equal(['off', 'kueue'])
  })

  it('shows pods that end without a command as retiring', async () => {
    const deletion = { graceSeconds: 15 }
    const pods = [warmRunnerPod('a', { deletion }), warmRunnerPod('b')]
    const { pool, registry } = poolWith({ warm: warmSettings({ min: 0 }), pods })
    await pool.pass(signal)
    expect(await registry.metrics()).to.match(/warm_standbys{state="retiring"} 1$/m)
  })

  it('retires a Job at the version that it has seen, and only if the database does not know it', async () => {
    const old = warmRunnerJob('ffw-00000000-1', ofOldSettings)
    const used = warmRunnerJob('ffw-00000000-2', ofOldSettings)
    const bound = [{ warmRunnerJob: 'ffw-00000000-2', podUid: 'p', commandId: 'c', isLive: true }]
    const { pool, deleted } = poolWith({ warm: warmSettings({ min: 0 }), jobs: [old, used], bound })
    await pool.pass(signal)
    expect(deleted).to.deep.equal([
      {
        namespace: 'media',
        name: 'ffw-00000000-1',
        uid: 'uid of ffw-00000000-1',
        resourceVersion: '1',
      },
    ])
  })

  it('retires all warm runners when the setting is absent', async () => {
    const { pool, deleted } = poolWith({
      warm: null,
      jobs: [warmRunnerJob('ffw-00000000-1', ofOldSettings)],
    })
    await pool.pass(signal)
    expect(deleted).to.have.length(1)
  })

  it('replaces those that do not know the present authority of the gateway', async () => {
    const warm = warmSettings({ min: 1, max: 1 })
    let ca = 'old'
    const gatewayCa = () => ca
    const poolHash = warmRunnerHash(runnerSettings({ warm, gatewayCa }), warm)
    const { pool, deleted } = poolWith({
      warm,
      gatewayCa,
      jobs: [warmRunnerJob('a', { warmRunner: { poolHash } })],
      pods: [warmRunnerPod('a')],
    })
    await pool.pass(signal)
    expect(deleted).to.deep.equal([])
    ca = 'new'
    await pool.pass(signal)
    expect(deleted.map(({ name }) => name)).to.deep.equal(['a'])
  })

  it('the pool waits longer after each warm runner that fails or is refused', async () => {
    const { pool, created, clock, refuse } = poolWith({ warm: warmSettings({ min: 1, max: 1 }) })
    refuse(true)
    const triedAfter: number[] = []
    for (let second = 0; second < 40; second += 1) {
      const before = created.length
      await pool.pass(signal)
      if (created.length > before) triedAfter.push(second)
      await clock.advance(1_000)
    }
    const pauses = triedAfter.slice(1).map((at, index) => at - (triedAfter[index] ?? 0))
    expect(pauses.length).to.be.within(3, 6)
    expect(pauses).to.deep.equal(pauses.toSorted((a, b) => a - b))
  })

  const waitsFor = (reason: string, message: string) =>
    ({ phase: 'Pending', transfer: { state: 'waiting', reason, message } }) as const
  const unstarted: readonly (readonly [string, string, Partial<PodFacts> | null])[] = [
    ['has no pod', 'PodRefused', null],
    ['pulls no image', 'ImagePull', waitsFor('ImagePullBackOff', 'no such image')],
    ['finds no node', 'Unschedulable', { phase: 'Pending', unschedulable: '0/3 nodes' }],
    ['does not start', 'NotStarted', waitsFor('ContainerCreating', '')],
  ]
  for (const [what, reason, facts] of unstarted) {
    it(`counts a Job that ${what} within the start allowance as failed, deletes it and waits longer`, async () => {
      const warm = warmSettings({ min: 1, max: 1 })
      const poolHash = warmRunnerHash(runnerSettings({ warm }), warm)
      const { pool, created, deleted, clock, registry, warned } = poolWith({
        warm,
        jobs: [warmRunnerJob('a', { warmRunner: { poolHash } })],
        pods: facts === null ? [] : [warmRunnerPod('a', facts)],
      })
      await pool.pass(signal)
      await clock.advance(599_000)
      await pool.pass(signal)
      expect({ deleted, created, warned }).to.deep.equal({ deleted: [], created: [], warned: [] })
      await clock.advance(1_000)
      await pool.pass(signal)
      expect(deleted).to.have.length(1)
      expect(created, 'in the back-off').to.deep.equal([])
      expect(warned).to.deep.equal([`warm runner failed ${reason}`])
      expect(await registry.metrics()).to.include(`warm_failures_total{reason="${reason}"} 1`)
      await clock.advance(1_000)
      await pool.pass(signal)
      expect(created).to.have.length(1)
    })
  }

  it('counts one that is replaced for its age before the start allowance, and not one that has waited', async () => {
    const warm = warmSettings({ min: 1, max: 1, maxAgeSeconds: 60 })
    const poolHash = warmRunnerHash(runnerSettings({ warm }), warm)
    const pods = [warmRunnerPod('waits')]
    const jobs = ['waits', 'never'].map((name) => warmRunnerJob(name, { warmRunner: { poolHash } }))
    const { pool, clock, warned } = poolWith({ warm, jobs, pods })
    await pool.pass(signal)
    pods[0] = warmRunnerPod('waits', { phase: 'Pending' })
    await clock.advance(61_000)
    await pool.pass(signal)
    expect(warned).to.deep.equal(['warm runner failed PodRefused'])
  })

  it('logs a reason once until a warm runner waits', async () => {
    const warm = warmSettings({ min: 1, max: 1 })
    const poolHash = warmRunnerHash(runnerSettings({ warm }), warm)
    const [jobs, pods]: [JobFacts[], PodFacts[]] = [[], []]
    const { pool, clock, refuse, warned, created } = poolWith({ warm, jobs, pods })
    const passes = async () => {
      for (let second = 0; second < 40; second += 1) {
        await clock.advance(1_000)
        await pool.pass(signal)
      }
    }
    refuse(true)
    await passes()
    expect(created.length).to.be.greaterThan(2)
    expect(warned).to.deep.equal(['warm runner refused undefined'])
    jobs.push(warmRunnerJob('a', { warmRunner: { poolHash } }))
    pods.push(warmRunnerPod('a'))
    await pool.pass(signal)
    await pool.pass(signal)
    jobs.pop()
    await passes()
    expect(warned).to.have.length(2)
  })

  it('keeps the last pod that waits from the probe of an upload', async () => {
    const warm = warmSettings({ min: 2, max: 2 })
    const hash = warmRunnerHash(runnerSettings({ warm }), warm)
    const jobs = ['a', 'b'].map((name) => warmRunnerJob(name, { warmRunner: { poolHash: hash } }))
    const { pool } = poolWith({ warm, jobs, pods: ['a', 'b'].map((name) => warmRunnerPod(name)) })
    const file = { errorStatus: null, errorMessage: null, key: 'k', sizeBytes: 1, fileType: null }
    const upload = {
      accountId: 'x',
      file: { ...file, status: 'UPLOADED', deleted: false },
    } as const
    await pool.pass(signal)
    expect(pool.take(upload)).to.not.equal(null)
    expect(pool.take(upload)).to.equal(null)
    expect(pool.take({ accountId: 'x', file: null })).to.not.equal(null)
  })

  it('counts a Job that has failed without a command', async () => {
    const warm = warmSettings({ min: 1, max: 1 })
    const hash = warmRunnerHash(runnerSettings({ warm }), warm)
    const ending = { reason: 'BackoffLimitExceeded', message: '' }
    const jobs = [
      warmRunnerJob(`ffw-${hash}-1`, { warmRunner: { poolHash: hash }, ending, finished: true }),
    ]
    const { pool, created, registry } = poolWith({ warm, jobs })
    await pool.pass(signal)
    expect(created).to.deep.equal([])
    expect(await registry.metrics()).to.match(
      /warm_failures_total{reason="BackoffLimitExceeded"} 1/,
    )
  })
})

function poolWith(given: {
  warm: ReturnType<typeof warmSettings> | null
  jobs?: readonly JobFacts[]
  /** Each waits. */
  pods?: readonly PodFacts[]
  bound?: BoundWarmRunner[]
  canResize?: boolean
  kueue?: KueueSettings
  gatewayCa?: () => string | null
}) {
  const { warm, jobs = [], pods = [], bound = [], canResize = true, kueue = null } = given
  const { gatewayCa = () => null } = given
  const clock = createVirtualClock()
  const registry = new Registry()
  const metrics = createWarmMetrics(registry)
  const created: string[] = []
  const deleted: { readonly name: string }[] = []
  const warned: string[] = []
  let isRefused = false
  const pool = createWarmPool({
    store: {
      boundWarmRunners: async (names) =>
        bound.filter(({ warmRunnerJob: name }) => names.includes(name)),
      warmRunnerDemand: async () => ({ most: 0, idleSeconds: 1 }),
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
      warmRunnerJobs: () =>
        jobs.filter(({ metadata }) => !deleted.some(({ name }) => name === metadata.name)),
      warmRunnerPodsOf: (uid) => pods.filter(({ warmRunner }) => warmRunner?.job?.uid === uid),
      podByUid: (uid) => pods.find(({ metadata }) => metadata.uid === uid) ?? null,
      isGone: () => false,
      pods: { ...cache, list: () => [...pods], get: () => null },
      jobs: {
        ...cache,
        get: ({ name }) => jobs.find(({ metadata }) => metadata.name === name) ?? null,
      },
    },
    waiters: {
      offers: () =>
        pods.map(({ metadata: { uid, name } }) => ({
          podUid: uid,
          podName: name,
          waitedSeconds: 5,
        })),
      answer: () => false,
    },
    term: { mustHold: () => undefined },
    effects: { clock, random: () => 0.5, newId: () => 'id', failpoint: directly },
    metrics,
    logger: loggerWith({}, (level, message, { reason }) => {
      if (level === 'warn') warned.push(`${message} ${String(reason)}`)
    }),
    settings: { runner: runnerSettings({ warm, kueue, gatewayCa }), liveJobs: 100 },
    canResize: async () => canResize,
    wakeAfter: () => undefined,
  })
  const refuse = (refused: boolean): void => void (isRefused = refused)
  return { pool, created, deleted, clock, registry, metrics, refuse, warned }
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
