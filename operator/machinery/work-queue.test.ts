import { expect } from 'chai'
import fc from 'fast-check'
import { Registry } from 'prom-client'
import { sleep } from '../../common/runtime/effects.ts'
import { createVirtualClock } from '../../testing/support/virtual-clock.ts'
import { lanes } from './lanes.ts'
import { createWorkQueueMetrics } from './work-queue-metrics.ts'
import { createWorkQueue } from './work-queue.ts'
import type { VirtualClock } from '../../testing/support/virtual-clock.ts'
import type { WorkQueue, WorkResult } from './work-queue.ts'

describe('work queue', () => {
  let clock: VirtualClock
  let registry: Registry
  let log: string[]
  let errors: string[]

  beforeEach(() => {
    clock = createVirtualClock()
    log = []
    errors = []
  })

  it('runs a key once when it is added several times', async () => {
    const queue = start(instantly)
    queue.add('a')
    queue.add('a')
    queue.add('b')
    await clock.advance(1_000)
    expect(log).to.deep.equal(['a@0', 'b@0'])
    expect(queue.size()).to.equal(0)
  })

  it('runs a key exactly once more when it is added while it runs', async () => {
    const queue = start(slowly)
    queue.add('a')
    await clock.advance(50)
    queue.add('a')
    queue.add('a')
    await clock.advance(1_000)
    expect(log).to.deep.equal(['a@0', 'a@100'])
    expect(queue.size()).to.equal(0)
  })

  it('the queue never runs one key twice at a time, and never more keys than it has workers', async () => {
    const busy = new Set<string>()
    let most = 0
    const queue = start(
      async (key) => {
        expect(busy.has(key)).to.equal(false)
        busy.add(key)
        most = Math.max(most, busy.size)
        await sleep(clock, 10)
        busy.delete(key)
      },
      { workers: 4 },
    )
    for (let i = 0; i < 100; i += 1) queue.add(`key-${i % 20}`)
    for (let ms = 0; ms < 100; ms += 5) {
      queue.add(`key-${ms % 20}`)
      await clock.advance(5)
    }
    await clock.advance(1_000)
    expect(most).to.equal(4)
    expect(errors).to.deep.equal([])
    expect(queue.size()).to.equal(0)
  })

  it('runs a key at the earliest of several delays', async () => {
    const queue = start(instantly)
    queue.addAfter('a', 5_000)
    queue.addAfter('a', 1_000)
    queue.addAfter('a', 9_000)
    await clock.advance(60_000)
    expect(log).to.deep.equal(['a@1000'])
    queue.addAfter('a', 5_000)
    queue.add('a')
    await clock.advance(60_000)
    expect(log.slice(1)).to.deep.equal(['a@60000'])
  })

  it('runs a key again after the delay that its work returns, or earlier when it is added', async () => {
    let wishes = 2
    const queue = start(async (key) => {
      log.push(`${key}@${clock.monotonicMs()}`)
      wishes -= 1
      return wishes > 0 ? { requeueAfterMs: 5_000 } : undefined
    })
    queue.add('a')
    await clock.advance(1_000)
    queue.addAfter('a', 1_000)
    await clock.advance(60_000)
    expect(log).to.deep.equal(['a@0', 'a@2000'])
  })

  it('retries a failed key after 0.5 s, doubling up to 5 min, and resets the delay after a success', async () => {
    let failures = 15
    const queue = start(
      async (key) => {
        log.push(`${key}@${clock.monotonicMs()}`)
        if (failures === 0) return
        failures -= 1
        throw new Error('no')
      },
      { random: () => 0.999_999 },
    )
    queue.add('a')
    await clock.advance(3_600_000)
    const times = log.map((entry) => Number(entry.slice(2)))
    const delays = times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)))
    expect(delays.slice(0, 4)).to.deep.equal([500, 1_000, 2_000, 4_000])
    expect(delays.slice(10)).to.deep.equal([300_000, 300_000, 300_000, 300_000, 300_000])
    expect(errors.at(-1)).to.equal('a 15')
    failures = 1
    queue.add('a')
    await clock.advance(1_000)
    expect(errors.at(-1)).to.equal('a 1')
  })

  it('resets the retry delay when a run succeeds and requests another one', async () => {
    const outcomes = ['fail', 'fail', 'ok', 'fail', 'ok']
    const queue = start(async () => {
      if (outcomes.shift() === 'fail') throw new Error('no')
      return outcomes.length > 0 ? { requeueAfterMs: 10 } : undefined
    })
    queue.add('a')
    await clock.advance(60_000)
    expect(errors).to.deep.equal(['a 1', 'a 2', 'a 1'])
  })

  it('keeps a delay that was requested while the key ran', async () => {
    const queue = start(slowly)
    queue.add('a')
    await clock.advance(50)
    queue.addAfter('a', 5_000)
    await clock.advance(1_000)
    expect(queue.size()).to.equal(1)
    queue.addAfter('a', 9_000)
    await clock.advance(60_000)
    expect(log).to.deep.equal(['a@0', 'a@5050'])
  })

  it('runs live keys first, and a finished key with them when it becomes live', async () => {
    const queue = start(slowly, { workers: 1 })
    queue.add('first')
    queue.add('garbage-1', 'finished')
    queue.add('garbage-2', 'finished')
    queue.add('live')
    queue.add('garbage-2', 'live')
    queue.add('garbage-2', 'finished')
    await clock.advance(10_000)
    expect(order()).to.deep.equal(['first', 'live', 'garbage-2', 'garbage-1'])
  })

  it('runs other keys when one key is added again and again', async () => {
    const queue = start(
      async (key) => {
        log.push(key)
        if (key === 'hot' && log.length < 50) queue.add('hot')
        await sleep(clock, 10)
      },
      { workers: 1 },
    )
    queue.add('hot')
    for (const key of ['a', 'b', 'c']) queue.add(key)
    await clock.advance(100)
    expect(log.slice(0, 5)).to.deep.equal(['hot', 'a', 'b', 'c', 'hot'])
  })

  it('drains the queue: starts no key, waits for running ones, returns the rest', async () => {
    const queue = start(slowly, { workers: 1 })
    queue.add('running')
    queue.add('waiting')
    queue.addAfter('later', 60_000)
    await clock.advance(50)
    const left = await clock.until(queue.drain())
    expect(clock.monotonicMs()).to.equal(100)
    expect(left.toSorted()).to.deep.equal(['later', 'waiting'])
    queue.add('too-late')
    await clock.advance(120_000)
    expect(order()).to.deep.equal(['running'])
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('aborts a key that still runs after the grace period', async () => {
    const queue = start(async (key, signal) => {
      log.push(key)
      await sleep(clock, 60_000, signal)
    })
    queue.add('stuck')
    await clock.advance(10)
    const left = await clock.until(queue.drain())
    expect(clock.monotonicMs()).to.equal(5_010)
    expect(left).to.deep.equal(['stuck'])
    await clock.settle()
    expect(errors).to.deep.equal(['stuck 1'])
    expect(clock.pendingTimers()).to.equal(0)
  })

  it('runs no key before the queue is started', async () => {
    const queue = create(instantly)
    queue.add('a')
    await clock.advance(1_000)
    expect(log).to.deep.equal([])
    queue.start()
    await clock.settle()
    expect(log).to.deep.equal(['a@1000'])
  })

  it('runs every key after its last add, for any failures and any times of adding', async () => {
    const event = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      delayMs: fc.constantFrom(0, 0, 10, 500),
      lane: fc.constantFrom(...lanes),
      pauseMs: fc.constantFrom(0, 5, 30),
      fails: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
        clock = createVirtualClock()
        const wanted = new Map<string, number>()
        const ran = new Map<string, number>()
        const failing = new Set<string>()
        const queue = start(
          async (key) => {
            const startMs = clock.monotonicMs()
            await sleep(clock, 7)
            if (failing.delete(key)) throw new Error('no')
            ran.set(key, startMs)
          },
          { workers: 2 },
        )
        for (const { key, delayMs, lane, pauseMs, fails } of events) {
          if (fails) failing.add(key)
          wanted.set(key, clock.monotonicMs())
          queue.addAfter(key, delayMs, lane)
          await clock.advance(pauseMs)
        }
        await clock.advance(3_600_000)
        for (const [key, sinceMs] of wanted) expect(ran.get(key)).to.be.at.least(sinceMs)
        expect(queue.size()).to.equal(0)
        expect(clock.pendingTimers()).to.equal(0)
      }),
    )
  })

  it('measures depth per lane, wait, work and retries', async () => {
    const queue = start(slowly, { workers: 1 })
    queue.add('a')
    queue.add('b')
    queue.add('c', 'finished')
    await clock.advance(40)
    const text = await registry.metrics()
    expect(text).to.contain('workqueue_depth{lane="live"} 1')
    expect(text).to.contain('workqueue_depth{lane="finished"} 1')
    expect(text).to.contain('workqueue_longest_running_seconds 0.04')
    expect(text).to.contain('workqueue_wait_seconds_count{lane="live"} 1')
  })

  type Work = (key: string, signal: AbortSignal) => Promise<WorkResult>

  function start(work: Work, options: { workers?: number; random?: () => number } = {}): WorkQueue {
    const queue = create(work, options)
    queue.start()
    return queue
  }

  function create(
    work: Work,
    options: { workers?: number; random?: () => number } = {},
  ): WorkQueue {
    registry = new Registry()
    return createWorkQueue({
      work,
      onError: (key, _error, attempt) => errors.push(`${key} ${attempt}`),
      clock,
      random: options.random ?? (() => 0.5),
      metrics: createWorkQueueMetrics(registry),
      ...(options.workers === undefined ? {} : { workers: options.workers }),
    })
  }

  async function instantly(key: string): Promise<void> {
    log.push(`${key}@${clock.monotonicMs()}`)
  }

  async function slowly(key: string): Promise<void> {
    log.push(`${key}@${clock.monotonicMs()}`)
    await sleep(clock, 100)
  }

  function order(): string[] {
    return log.map((entry) => entry.replace(/@.*/, ''))
  }
})
