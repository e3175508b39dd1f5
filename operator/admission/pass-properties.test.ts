import { expect } from 'chai'
import fc from 'fast-check'
import { chooseAdmissions } from './choose-admissions.ts'
import { accountWith, freely, jainsIndex, ofLate, runModel, waiting } from './pass.fixture.ts'
import { beginningOfTime } from './virtual-time.ts'
import type { ModelAccount } from './pass.fixture.ts'
import type { LimitedAccount } from './pass.ts'

const weight = fc.constantFrom(1, 4)
const vcpuCount = fc.integer({ min: 1, max: 4 })

/** Accounts that always have commands waiting. */
const always = (run: fc.Arbitrary<number>, vcpus: fc.Arbitrary<number> = vcpuCount) =>
  fc
    .array(fc.record({ weight, vcpuCount: vcpus, runSeconds: run }), { minLength: 2, maxLength: 8 })
    .map((accounts) =>
      accounts.map((account, index): ModelAccount => ({
        ...account,
        accountId: `always-${index}`,
        arrivals: null,
      })),
    )

describe('passes of admission', () => {
  it('passes leave no vCPU unused that a command may take, but for accounts of late below their share', () => {
    const account = fc.record({
      weight,
      waiting: fc.array(vcpuCount, { maxLength: 6 }),
      running: fc.array(vcpuCount, { maxLength: 4 }),
      isOfLate: fc.boolean(),
    })
    const accounts = fc.array(account, { minLength: 1, maxLength: 6 })
    const absent = fc.array(vcpuCount, { maxLength: 2 })
    const capacity = fc.integer({ min: 8, max: 40 })
    const property = fc.property(accounts, absent, capacity, (drawn, others, capacityVcpus) => {
      const submitters = [
        ...drawn.flatMap(({ isOfLate, waiting: waits, running }, index) =>
          isOfLate ? [ofLate(`a${index}`, Math.max(1, ...waits, ...running))] : [],
        ),
        ...others.map((vcpus, index) => ofLate(`absent-${index}`, vcpus)),
      ]
      const limits = { ...freely, capacityVcpus, reservedShare: 0.1, submitters }
      const of = drawn.map((each, index) =>
        accountWith({
          accountId: `a${index}`,
          weight: each.weight,
          waiting: each.waiting.map((vcpus, at) => waiting(`${index}/${at}`, vcpus)),
          running: each.running.map((vcpus, at) => ({
            commandId: `running-${index}/${at}`,
            vcpuCount: vcpus,
            runningSeconds: 60,
            isEnding: false,
            isStarting: false,
          })),
        }),
      )
      const { admissions } = chooseAdmissions(beginningOfTime, of, limits)
      const started = new Set(admissions.flatMap(({ commandIds }) => commandIds))
      const sum = (counts: readonly { vcpuCount: number }[]): number =>
        counts.reduce((total, each) => total + each.vcpuCount, 0)
      const begun = sum(
        of.flatMap((each) => each.waiting.filter(({ commandId }) => started.has(commandId))),
      )
      const used = begun + sum(of.flatMap((each) => each.running))
      if (begun > 0) expect(used).to.be.at.most(capacityVcpus)
      for (const each of of) {
        const isForOthers = submitters.some(({ accountId }) => accountId !== each.accountId)
        const reserve = isForOthers ? Math.floor(capacityVcpus / 4) : 0
        for (const command of each.waiting.filter(({ commandId }) => !started.has(commandId))) {
          expect(used + command.vcpuCount).to.be.greaterThan(capacityVcpus - reserve)
        }
      }
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('passes of admission let an account use the whole cluster while no other one has submitted of late', () => {
    const property = fc.property(
      fc.record({ weight, vcpuCount, runSeconds: fc.integer({ min: 10, max: 60 }) }),
      fc.record({ weight, vcpuCount, runSeconds: fc.integer({ min: 1, max: 20 }) }),
      fc.integer({ min: 1, max: 8 }),
      (drawn, before, commands) => {
        const busy: ModelAccount = { ...drawn, accountId: 'busy', arrivals: null }
        const other: ModelAccount = { ...before, accountId: 'other', arrivals: [0] }
        const capacityVcpus = 4 + busy.vcpuCount * commands
        const limits = { ...freely, capacityVcpus, reservedShare: 0.1 }
        const { usage } = runModel([busy, other], limits, { seconds: 120, reserveSeconds: 60 })
        const most = capacityVcpus - (capacityVcpus % busy.vcpuCount)
        expect(usage.slice(60)).to.deep.equal(usage.slice(60).map(() => most))
      },
    )
    fc.assert(property, { numRuns: 40 })
  })

  it('passes start the next command of an account of late at once beside one that always waits', () => {
    const property = fc.property(
      fc.record({ weight, vcpuCount, runSeconds: fc.integer({ min: 60, max: 600 }) }),
      fc.record({ weight, vcpuCount, at: fc.integer({ min: 60, max: 500 }) }),
      fc.integer({ min: 16, max: 64 }),
      (drawn, { at, ...own }, capacityVcpus) => {
        const busy: ModelAccount = { ...drawn, accountId: 'busy', arrivals: null }
        const late: ModelAccount = {
          ...own,
          accountId: 'late',
          runSeconds: 5,
          arrivals: [0, at],
        }
        const limits = { ...freely, capacityVcpus, reservedShare: 0.1 }
        const { waits } = runModel([busy, late], limits, { seconds: at + 2 })
        expect(waits.get('late')?.[1]).to.be.at.most(1)
      },
    )
    fc.assert(property, { numRuns: 40 })
  })

  it('passes let an account without commands start its first one at once beside busier accounts', () => {
    const others = fc.array(
      fc.record({ weight, waiting: fc.nat(20), starting: fc.nat(6), started: fc.nat(6) }),
      { minLength: 1, maxLength: 5 },
    )
    const property = fc.property(others, fc.integer({ min: 2, max: 12 }), (drawn, startingPods) => {
      const submitters = [ofLate('a0'), ofLate('newcomer')]
      const limits = { ...freely, reservedShare: 0.1, startingPods, submitters }
      const runs = (index: number, count: number, isStarting: boolean) =>
        Array.from({ length: count }, (_, at) => ({
          commandId: `${isStarting}-${index}/${at}`,
          vcpuCount: 1,
          runningSeconds: 1,
          isEnding: false,
          isStarting,
        }))
      const busy = drawn.map((each, index) =>
        accountWith({
          accountId: `a${index}`,
          weight: each.weight,
          waiting: Array.from({ length: each.waiting }, (_, at) => waiting(`${index}/${at}`)),
          running: [...runs(index, each.starting, true), ...runs(index, each.started, false)],
        }),
      )
      const before = drawn.reduce((sum, { starting }) => sum + starting, 0)
      const startsOf = (accounts: readonly LimitedAccount[]): Map<string, number> =>
        new Map(
          chooseAdmissions(beginningOfTime, accounts, limits).admissions.map(
            ({ account: { accountId }, commandIds }) => [accountId, commandIds.length],
          ),
        )
      const begun = [...startsOf(busy).values()].reduce((sum, count) => sum + count, 0)
      if (begun > 0) expect(before + begun).to.be.at.most(startingPods)
      const [first] = busy
      if (first !== undefined && drawn[0]?.starting === 0) {
        const alone = startsOf([first]).get('a0') ?? 0
        const most = startingPods - Math.max(1, startingPods * 0.1)
        expect(alone).to.equal(Math.min(drawn[0].waiting, Math.max(1, Math.floor(most))))
        const own = { ...limits, submitters: [ofLate('a0')] }
        const [all] = chooseAdmissions(beginningOfTime, [first], own).admissions
        expect(all?.commandIds.length ?? 0).to.equal(Math.min(drawn[0].waiting, startingPods))
      }
      if (before >= startingPods) return
      const newcomer = accountWith({
        accountId: 'newcomer',
        waiting: [waiting('newcomer', 1, 1)],
      })
      const besideRunning = busy.map((each) => ({ ...each, waiting: [] }))
      expect(startsOf([...besideRunning, newcomer]).get('newcomer')).to.equal(1)
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('passes admit the same commands of other accounts when commands of one account have priorities', () => {
    const shifts = fc.constantFrom(-600, 0, 600)
    // After `passSeconds` an account whose young command goes first gives up the room that it would hold.
    const waitedSeconds = fc.integer({ min: 0, max: freely.passSeconds - 1 })
    const command = fc.record({ waitedSeconds, shift: shifts })
    const account = fc.record({
      weight,
      vcpuCount,
      commands: fc.array(command, { maxLength: 8 }),
      running: fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 3 }),
    })
    const drawn = fc.array(account, { minLength: 2, maxLength: 5 })
    const property = fc.property(drawn, fc.integer({ min: 4, max: 24 }), (of, capacityVcpus) => {
      const submitters = of.map((each, index) => ofLate(`a${index}`, each.vcpuCount))
      const limits = { ...freely, capacityVcpus, reservedShare: 0.1, submitters }
      const admittedOfOthers = (isShifted: boolean) => {
        const accounts = of.map((each, index) =>
          accountWith({
            accountId: `a${index}`,
            weight: each.weight,
            waiting: each.commands
              .map(({ waitedSeconds, shift }, at) => ({
                ...waiting(`${index}/${at}`, each.vcpuCount, waitedSeconds),
                queuedSeconds: waitedSeconds + (isShifted && index === 0 ? shift : 0),
              }))
              .toSorted((a, b) => b.queuedSeconds - a.queuedSeconds),
            running: each.running.map((runningSeconds, at) => ({
              commandId: `r${index}/${at}`,
              vcpuCount: each.vcpuCount,
              runningSeconds,
              isEnding: false,
              isStarting: false,
            })),
          }),
        )
        const { admissions } = chooseAdmissions(beginningOfTime, accounts, limits)
        const ids = admissions.map(({ account: { accountId }, commandIds }) => ({
          accountId,
          count: commandIds.length,
          commandIds: accountId === 'a0' ? [] : commandIds,
        }))
        return ids
      }
      expect(admittedOfOthers(true)).to.deep.equal(admittedOfOthers(false))
    })
    fc.assert(property, { numRuns: 500 })
  })

  it('passes serve accounts that always wait by their weights, within the bound of one command each', () => {
    const accounts = fc
      .tuple(always(fc.constant(10)), vcpuCount)
      .map(([drawn, vcpus]) => drawn.map((account) => ({ ...account, vcpuCount: vcpus })))
    const property = fc.property(accounts, fc.integer({ min: 1, max: 12 }), (drawn, room) => {
      const capacityVcpus = room * (drawn[0]?.vcpuCount ?? 1)
      const run = runModel(drawn, { ...freely, capacityVcpus, passSeconds: 1e9 }, { seconds: 300 })
      for (const i of drawn) {
        for (const j of drawn) {
          const [own, other] = [i, j].map(({ accountId }) => run.attained.get(accountId) ?? 0)
          const bound = 10 * (j.vcpuCount + (j.weight * i.vcpuCount) / i.weight)
          expect(other).to.be.at.most(((own ?? 0) * j.weight) / i.weight + bound + 1e-6)
        }
      }
    })
    fc.assert(property, { numRuns: 40 })
  })

  it('passes of admission start every command within a bound when new accounts arrive every second', () => {
    const seconds = 360
    const longest = 40
    const backlog = 2
    const property = fc.property(
      always(fc.integer({ min: 10, max: longest }), fc.constant(1)),
      fc.record({ vcpus: fc.integer({ min: 1, max: 8 }), at: fc.integer({ min: 0, max: 40 }) }),
      fc.integer({ min: 16, max: 32 }),
      (drawn, large, capacityVcpus) => {
        const fresh = Array.from({ length: seconds }, (_, at): ModelAccount => ({
          accountId: `new-${at}`,
          weight: 1,
          vcpuCount: 1,
          runSeconds: 40,
          arrivals: [at, at],
        }))
        const one: ModelAccount = {
          accountId: 'large',
          weight: 1,
          vcpuCount: large.vcpus,
          runSeconds: 10,
          arrivals: [large.at],
        }
        const limits = { ...freely, capacityVcpus, reservedShare: 0.1 }
        const run = runModel(
          [...drawn, ...fresh, one],
          { ...limits, passSeconds: 30 },
          { seconds, backlog },
        )
        const [waited = Infinity] = run.waits.get('large') ?? []
        // After passSeconds it is preceded by older commands only, as many at a time as there is
        // room for; then the room becomes free.
        const older = Math.ceil((backlog * drawn.length + 2 * large.at) / capacityVcpus)
        expect(waited).to.be.at.most(30 + longest * (older + 1))
      },
    )
    fc.assert(property, { numRuns: 15 })
  })

  it("passes of admission start a new account's first command within the bound of starvation", () => {
    const property = fc.property(
      always(fc.integer({ min: 10, max: 60 })),
      fc.record({ weight, vcpuCount, at: fc.integer({ min: 1, max: 150 }) }),
      fc.integer({ min: 16, max: 64 }),
      (others, { at, ...own }, capacityVcpus) => {
        const newcomer = { ...own, accountId: 'newcomer', runSeconds: 10, arrivals: [at] }
        const limits = { ...freely, capacityVcpus, reservedShare: 0.1 }
        const run = runModel([...others, newcomer], limits, { seconds: 400 })
        const ahead = others.reduce(
          (sum, { vcpuCount: vcpus, weight: by }) =>
            sum + 10 * (vcpus + (by * own.vcpuCount) / own.weight),
          0,
        )
        const longest = Math.max(...others.map(({ runSeconds }) => runSeconds))
        const isReserved = capacityVcpus - (run.usage[at - 1] ?? 0) >= own.vcpuCount
        const [waited = Infinity] = run.waits.get('newcomer') ?? []
        expect(waited).to.be.at.most(1 + (isReserved ? 0 : ahead / capacityVcpus + longest))
      },
    )
    fc.assert(property, { numRuns: 60 })
  })

  it('passes share a cluster equally among 20 equal accounts with commands of different lengths', () => {
    const accounts = Array.from({ length: 20 }, (_, index): ModelAccount => ({
      accountId: `a${index}`,
      weight: 1,
      vcpuCount: 2,
      arrivals: null,
      runSeconds: 10 + 7 * (index % 10),
    }))
    const limits = { ...freely, capacityVcpus: 100, reservedShare: 0.1 }
    const { attained } = runModel(accounts, limits, { seconds: 1_800 })
    expect(jainsIndex([...attained.values()])).to.be.at.least(0.98)
  })
})
