import { expect } from 'chai'
import fc from 'fast-check'
import { desiredSize, isAlive, pool } from './pool.ts'
import type { PoolView, WarmRunner } from './pool.ts'

const settings = { maxAgeSeconds: 1_800 }

function warmRunner(name: string, changes: Partial<WarmRunner> = {}): WarmRunner {
  return {
    job: {
      metadata: { namespace: 'media', name, uid: `uid of ${name}`, resourceVersion: '1' },
      deleting: false,
      ending: null,
      finished: false,
      ownerUid: null,
    },
    isCurrent: true,
    use: 'free',
    isWaiting: true,
    age: 10,
    lifetime: 1,
    silent: null,
    hasTwin: false,
    stuck: null,
    ...changes,
  }
}

function view(warmRunners: readonly WarmRunner[], changes: Partial<PoolView> = {}): PoolView {
  return {
    warmRunners,
    desired: 2,
    sinceBind: null,
    surplusFor: 0,
    backoff: 0,
    room: 100,
    ...changes,
  }
}

function namesOf({ retire }: ReturnType<typeof pool>): string[] {
  return retire.map(({ warmRunner: { job } }) => job.metadata.name)
}

describe('pool', () => {
  it('creates what is missing, at most five at a time', () => {
    expect(pool(view([], { desired: 4 }), settings).create).to.equal(4)
    expect(pool(view([], { desired: 9 }), settings).create).to.equal(5)
    const starting = ['a', 'b', 'c'].map((name) => warmRunner(name, { isWaiting: false }))
    expect(pool(view(starting, { desired: 9 }), settings).create).to.equal(2)
    expect(pool(view([warmRunner('a')]), settings).create).to.equal(1)
  })

  it('the pool waits half a second after a command took one, unless hardly any are left of many', () => {
    const two = [warmRunner('a'), warmRunner('b')]
    expect(pool(view(two, { desired: 4, sinceBind: 0.4 }), settings).create).to.equal(0)
    expect(pool(view(two, { desired: 4, sinceBind: 0.5 }), settings).create).to.equal(2)
    expect(pool(view([], { desired: 4, sinceBind: 0.1 }), settings).create).to.equal(4)
    expect(pool(view([], { desired: 1, sinceBind: 0.4 }), settings).create).to.equal(0)
    expect(pool(view([], { desired: 1, sinceBind: 0.5 }), settings).create).to.equal(1)
  })

  it('creates nothing during a backoff, or above the limit of all Jobs', () => {
    expect(pool(view([], { backoff: 0.1 }), settings).create).to.equal(0)
    expect(pool(view([], { room: 1 }), settings).create).to.equal(1)
    expect(pool(view([], { room: -3 }), settings).create).to.equal(0)
  })

  it('replaces those of other settings, those that are old, and those that do not wait', () => {
    const worn = [
      warmRunner('other', { isCurrent: false }),
      warmRunner('old', { age: 1_700, lifetime: 0.9 }),
      warmRunner('silent', { isWaiting: false, silent: 61 }),
      warmRunner('twin', { hasTwin: true }),
    ]
    const plan = pool(
      view([...worn, warmRunner('fine', { silent: 59, isWaiting: false })]),
      settings,
    )
    expect(namesOf(plan)).to.deep.equal(['other', 'old', 'silent', 'twin'])
    expect(plan.create).to.equal(1)
  })

  it('retires a surplus after a minute, those first that do not wait yet', () => {
    const three = [
      warmRunner('a', { age: 5 }),
      warmRunner('b', { age: 9 }),
      warmRunner('c', { isWaiting: false }),
    ]
    expect(namesOf(pool(view(three, { surplusFor: 59 }), settings))).to.deep.equal([])
    expect(namesOf(pool(view(three, { surplusFor: 60 }), settings))).to.deep.equal(['c'])
    const none = pool(view(three, { surplusFor: 60, desired: 1 }), settings)
    expect(namesOf(none)).to.deep.equal(['c', 'b'])
  })

  it('deletes the Job of an attempt that is over, unless the command owns it', () => {
    const over = warmRunner('a', { use: 'over', isCurrent: false })
    const owned = warmRunner('b', { use: 'over', job: { ...over.job, ownerUid: 'x' } })
    expect(namesOf(pool(view([over, owned]), settings))).to.deep.equal(['a'])
  })

  it('the pool never retires what is used, never exceeds its size, and comes to rest', () => {
    fc.assert(
      fc.property(fc.array(anyWarmRunner, { maxLength: 12 }), anyRest, (drawn, rest) => {
        const warmRunners = drawn.map((each, index) => warmRunner(`s${index}`, each))
        const plan = pool(view(warmRunners, rest), settings)
        for (const { warmRunner: retired } of plan.retire) {
          expect(retired.use).to.be.oneOf(['free', 'over'])
          expect(isAlive(retired.job)).to.equal(true)
        }
        expect(new Set(namesOf(plan)).size).to.equal(plan.retire.length)
        const free = warmRunners.filter(({ use, job }) => use === 'free' && isAlive(job))
        const left = free.filter(({ job }) => !namesOf(plan).includes(job.metadata.name))
        if (plan.create > 0) expect(left.length + plan.create).to.be.at.most(rest.desired)
        expect(plan.create).to.be.at.most(Math.max(0, rest.room))
        const kept = left.map((each) => ({ ...each, isWaiting: true, silent: null }))
        const made = Array.from({ length: plan.create }, (_, index) => warmRunner(`new${index}`))
        const quiet = { ...rest, sinceBind: null, backoff: 0, room: 1_000, surplusFor: 60 }
        expect(settle([...kept, ...made], quiet)).to.equal(rest.desired)
      }),
    )
  })
})

/** Passes until nothing changes any more. @returns how many there are then */
function settle(warmRunners: readonly WarmRunner[], rest: Omit<PoolView, 'warmRunners'>): number {
  let now = warmRunners
  for (let pass = 0; pass < 10; pass += 1) {
    const plan = pool({ ...rest, warmRunners: now }, settings)
    if (plan.create === 0 && plan.retire.length === 0) return now.length
    const gone = namesOf(plan)
    const made = Array.from({ length: plan.create }, (_, index) => warmRunner(`p${pass}n${index}`))
    now = [...now.filter(({ job }) => !gone.includes(job.metadata.name)), ...made]
  }
  throw new Error('the pool does not come to rest')
}

const anyWarmRunner = fc.record({
  isCurrent: fc.boolean(),
  use: fc.constantFrom('free', 'bound', 'over', 'unknown'),
  isWaiting: fc.boolean(),
  age: fc.nat({ max: 3_000 }),
  silent: fc.option(fc.nat({ max: 100 })),
})

const anyRest = fc.record({
  desired: fc.nat({ max: 8 }),
  sinceBind: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
  surplusFor: fc.nat({ max: 100 }),
  backoff: fc.constantFrom(0, 3),
  room: fc.integer({ min: -2, max: 20 }),
})

describe('desiredSize', () => {
  const size = { min: 1, max: 4, idleSeconds: 900 }

  it('desiredSize is half more than what any five seconds asked for, within its bounds', () => {
    expect(desiredSize({ most: 2, idleSeconds: 10 }, size)).to.equal(3)
    expect(desiredSize({ most: 0, idleSeconds: 700 }, size)).to.equal(1)
    expect(desiredSize({ most: 50, idleSeconds: 0 }, size)).to.equal(4)
  })

  it('desiredSize is the smallest after a time without commands', () => {
    expect(desiredSize({ most: 2, idleSeconds: 900 }, size)).to.equal(1)
    expect(desiredSize({ most: 0, idleSeconds: null }, { ...size, min: 0 })).to.equal(0)
  })
})
