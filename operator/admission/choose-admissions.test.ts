import { expect } from 'chai'
import { chooseAdmissions } from './choose-admissions.ts'
import { accountWith, freely, waiting } from './pass.fixture.ts'
import { beginningOfTime } from './virtual-time.ts'
import type { LimitedAccount, PassLimits, Submitter } from './pass.ts'

function choose(accounts: readonly LimitedAccount[], limits: Partial<PassLimits> = {}) {
  const pass = chooseAdmissions(beginningOfTime, accounts, { ...freely, ...limits })
  const ids = pass.admissions.flatMap(({ commandIds }) => commandIds)
  return { ...pass, ids }
}

const running = (count: number, vcpuCount = 1, runningSeconds = 0) =>
  Array.from({ length: count }, (_, index) => ({
    commandId: `running-${index}`,
    vcpuCount,
    runningSeconds,
    isEnding: false,
    isStarting: false,
  }))

const account = (accountId: string, changes: Partial<LimitedAccount> = {}) =>
  accountWith({ accountId, ...changes })

/** Three commands of one vCPU each. */
const three = (accountId: string, waitedSeconds = 0) =>
  [1, 2, 3].map((number) => waiting(`${accountId}${number}`, 1, waitedSeconds))

const submitter = (accountId: string, largestVcpus = 1, hasFiles = false): Submitter => ({
  accountId,
  largestVcpus,
  hasFiles,
})

describe('chooseAdmissions', () => {
  it('gives equal accounts one command after the other, first to the one that waits longest', () => {
    const accounts = [
      account('a', { waiting: three('a') }),
      account('b', { waiting: three('b', 5) }),
    ]
    const { admissions, ids } = choose(accounts, { capacityVcpus: 3 })
    expect(ids).to.have.members(['b1', 'b2', 'a1'])
    expect(admissions.map(({ account: { accountId } }) => accountId)).to.deep.equal(['b', 'a'])
  })

  it('serves of two equal accounts the one first that was served longer ago', () => {
    const first = chooseAdmissions(
      beginningOfTime,
      [account('a', { waiting: [waiting('a1')] })],
      freely,
    )
    // The command took no time, and both begin to wait now.
    const accounts = [
      account('a', { waiting: [waiting('a2', 1, 9)] }),
      account('b', { waiting: [waiting('b1', 1, 1)] }),
    ]
    const next = chooseAdmissions(first.time, accounts, { ...freely, capacityVcpus: 1 })
    expect(next.admissions.flatMap(({ commandIds }) => commandIds)).to.deep.equal(['b1'])
  })

  it('gives an account of weight 4 four commands for one of weight 1', () => {
    const many = (id: string) => Array.from({ length: 10 }, (_, index) => waiting(`${id}${index}`))
    const accounts = [
      account('a', { waiting: many('a') }),
      account('b', { waiting: many('b'), weight: 4 }),
    ]
    const { ids } = choose(accounts, { capacityVcpus: 10 })
    expect(ids.filter((id) => id.startsWith('b'))).to.have.length(8)
  })

  it('serves the account first whose running commands have used less', () => {
    const accounts = [
      account('a', { waiting: three('a'), running: running(1, 1, 100) }),
      account('b', { waiting: three('b'), running: running(1, 1, 60) }),
    ]
    expect(choose(accounts, { capacityVcpus: 4 }).ids).to.deep.equal(['b1', 'b2'])
  })

  it('lets an account whose only command has ended start the next one in the reserve', () => {
    const ended = running(1, 2).map((command) => ({ ...command, isEnding: true }))
    const submitters = [submitter('a', 2), submitter('b')]
    const limits = { capacityVcpus: 12, reservedShare: 0.1, submitters }
    const other = account('b', { running: running(8), weight: 4 })
    const next = { waiting: [waiting('a1', 2), waiting('a2', 2)] }
    const beside = (own: LimitedAccount['running']) =>
      choose([account('a', { ...next, running: own }), other], limits).ids
    expect(beside(ended)).to.deep.equal(['a1'])
    expect(beside(running(1, 2))).to.deep.equal([])
  })

  it('gives an account everything while no other one has submitted of late', () => {
    const six = [1, 2, 3, 4, 5, 6].map((number) => waiting(`a${number}`, 2))
    const files = [1, 2, 3, 4].map((number) => waiting(`f${number}`, 0))
    const limits = { capacityVcpus: 12, reservedShare: 0.1, submitters: [submitter('a', 2, true)] }
    expect(choose([account('a', { waiting: six })], limits).ids).to.have.length(6)
    const own = [account('a', { waiting: [...six.slice(0, 4), ...files] })]
    expect(choose(own, { ...limits, liveJobs: 4, liveFileJobs: 4 }).ids).to.have.length(8)
    expect(choose(own, { ...limits, startingPods: 8 }).ids).to.have.length(8)
  })

  it('keeps for an account that submitted of late as much as its largest command, and a quarter at most', () => {
    const many = Array.from({ length: 12 }, (_, index) => waiting(`a${index}`))
    const alone = [account('a', { waiting: many })]
    const started = (changes: Partial<PassLimits>) =>
      choose(alone, { capacityVcpus: 12, reservedShare: 0.1, ...changes })
    const kept = (vcpus: number) => 12 - started({ submitters: [submitter('b', vcpus)] }).ids.length
    expect([1, 2, 3, 4, 8].map(kept)).to.deep.equal([2, 2, 3, 3, 3])
    expect(started({ submitters: [submitter('b', 0, true)] }).ids).to.have.length(10)
    const { waits, shares } = started({ submitters: [submitter('a', 8), submitter('b', 2)] })
    expect(waits.get('a')).to.deep.equal({ commands: 'reserved', files: null })
    expect(shares.get('a')).to.equal(10)
    const none = { reservedShare: 0, submitters: [submitter('b', 2)] }
    expect(started(none).ids).to.have.length(12)
    const least = [account('a', { waiting: three('a') })]
    const few = { capacityVcpus: 3, reservedShare: 0.1, submitters: [submitter('b')] }
    expect(choose(least, few).ids, 'a quarter is less than one vCPU').to.have.length(3)
  })

  it('keeps the reserve for the account that waits least of its share, not for those at theirs', () => {
    const busy = account('a', { waiting: three('a'), running: running(6) })
    const beside = (changes: Partial<LimitedAccount>) =>
      choose([busy, account('b', { running: running(4), ...changes })], {
        capacityVcpus: 12,
        reservedShare: 0.1,
        submitters: [submitter('a', 1), submitter('b', 2)],
      }).ids
    expect(beside({}), 'below its share').to.have.length(0)
    expect(beside({ running: running(5) }), 'one below its share').to.have.length(0)
    expect(beside({ weight: 0.5 }), 'at its share').to.have.length(2)
    expect(beside({ vcpuLimit: 4 }), 'at its own limit').to.have.length(2)
    expect(beside({ jobLimit: 4 }), 'at its own limit of Jobs').to.have.length(0)
    expect(beside({ pausedWhy: 'a bill' }), 'paused').to.have.length(2)
  })

  it('gives the reserve to an account below its share', () => {
    const accounts = [
      account('a', { waiting: three('a'), running: running(9) }),
      account('b', { waiting: three('b') }),
    ]
    const submitters = [submitter('a'), submitter('b')]
    const { ids, waits } = choose(accounts, { capacityVcpus: 10, reservedShare: 0.1, submitters })
    expect(ids).to.deep.equal(['b1'])
    expect(waits.get('a')?.commands).to.equal('full')
  })

  it('keeps a reserve of Jobs, and of Jobs of files, for accounts that submitted such', () => {
    const files = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => waiting(`f${number}`, 0))
    const commands = files.map(({ commandId }) => waiting(commandId))
    const started = (waits: LimitedAccount['waiting'], limits: Partial<PassLimits>) =>
      choose([account('a', { waiting: waits })], { reservedShare: 0.1, ...limits }).ids.length
    const [ofCommands, ofFiles] = [submitter('b', 2), submitter('b', 0, true)]
    expect(started(commands, { liveJobs: 8, submitters: [ofCommands] })).to.equal(6)
    expect(started(commands, { liveJobs: 8, submitters: [ofFiles] })).to.equal(8)
    expect(started(files, { liveFileJobs: 8, submitters: [ofFiles] })).to.equal(6)
    expect(started(files, { liveFileJobs: 8, submitters: [ofCommands] })).to.equal(8)
    expect(started(files, { liveFileJobs: 4, submitters: [ofFiles] })).to.equal(3)
  })

  it('counts work on a file as one vCPU of the cluster and as none of the account', () => {
    const files = [1, 2, 3].map((number) => waiting(`f${number}`, 0))
    const own = [account('a', { waiting: [...files, waiting('a1')], vcpuLimit: 1 })]
    expect(choose(own).ids).to.have.members(['f1', 'f2', 'f3', 'a1'])
    expect(choose(own, { capacityVcpus: 2 }).ids).to.have.length(2)
  })

  it("obeys the account's own limits of vCPUs, Jobs and Jobs of files", () => {
    const waits = [...three('a'), waiting('f1', 0), waiting('f2', 0)]
    const limits = (changes: Partial<LimitedAccount>) =>
      choose([account('a', { waiting: waits, ...changes })]).ids
    expect(limits({ vcpuLimit: 2 })).to.have.members(['a1', 'a2', 'f1', 'f2'])
    expect(limits({ jobLimit: 1 })).to.have.members(['a1', 'f1', 'f2'])
    expect(limits({ fileJobLimit: 1 })).to.have.members(['a1', 'a2', 'a3', 'f1'])
  })

  it('keeps what becomes free for a large command that has waited passSeconds', () => {
    const accounts = (waitedSeconds: number) => [
      account('a', { waiting: [waiting('a1', 4, waitedSeconds)] }),
      account('b', { waiting: three('b'), running: running(8) }),
    ]
    expect(choose(accounts(299), { capacityVcpus: 10 }).ids).to.deep.equal(['b1', 'b2'])
    const { ids, waits } = choose(accounts(300), { capacityVcpus: 10 })
    expect(ids).to.deep.equal([])
    expect(waits.get('b')?.commands).to.equal('reserved')
  })

  it('lets accounts below their share start beside a large command of an account beyond its own', () => {
    const accounts = [
      account('a', { waiting: [waiting('a1', 4, 300)], running: running(7) }),
      account('b', { waiting: three('b'), running: running(1, 1, 1_000) }),
    ]
    const { ids } = choose(accounts, { capacityVcpus: 10 })
    expect(ids).to.deep.equal(['b1', 'b2'])
  })

  it('starts a command larger than the whole cluster when nothing else runs', () => {
    const large = account('a', { waiting: [waiting('a1', 16)] })
    const reserve = { reservedShare: 0.1, submitters: [submitter('b', 2)] }
    expect(choose([large], { capacityVcpus: 8, ...reserve }).ids).to.deep.equal(['a1'])
    const beside = [large, account('b', { running: running(1) })]
    expect(choose(beside, { capacityVcpus: 8 }).ids).to.deep.equal([])
  })

  it('starts no more of an account than may be without a node', () => {
    const unscheduled = { limit: 2, of: new Map([['a', 1]]) }
    const accounts = [account('a', { waiting: three('a') }), account('b', { waiting: three('b') })]
    expect(choose(accounts, { unscheduled }).ids).to.have.members(['a1', 'b1', 'b2'])
  })

  it('leaves one of the pods that start at a time to an account of late that starts none', () => {
    const starting = (count: number) =>
      running(count).map((command) => ({ ...command, isStarting: true }))
    const busy = account('a', { waiting: three('a'), running: starting(2) })
    const submitters = [submitter('a'), submitter('b')]
    const limits = { startingPods: 3, reservedShare: 0.1, submitters }
    const alone = choose([busy], limits)
    expect(alone.ids).to.deep.equal([])
    expect(alone.waits.get('a')).to.deep.equal({ commands: 'reserved', files: null })
    const beside = choose([busy, account('b', { waiting: three('b') })], limits)
    expect(beside.ids).to.deep.equal(['b1'])
    expect(beside.waits.get('b')?.commands).to.equal('full')
    const started = account('a', { waiting: three('a'), running: running(2) })
    expect(choose([started], limits).ids).to.deep.equal(['a1', 'a2'])
  })

  it('paces the starts of an account with a backlog while one without has commands', () => {
    const reserve = { reservedShare: 0.1, submitters: [submitter('a'), submitter('b')] }
    const limits = { startingPods: 2, ...reserve }
    const batch = (seconds: number) =>
      account('a', { waiting: three('a'), running: running(1, 1, seconds) })
    const single = account('b', { running: running(1, 1, 60) })
    expect(choose([batch(2), single], limits).ids).to.deep.equal([])
    expect(choose([batch(3), single], limits).ids).to.deep.equal(['a1'])
    expect(choose([batch(2)], limits).ids).to.deep.equal(['a1'])
    const alone = { ...limits, submitters: [submitter('a')] }
    expect(choose([batch(2), single], alone).ids, 'beside none of late').to.deep.equal(['a1'])
    const both = [batch(2), account('b', { waiting: three('b') })]
    expect(choose(both, limits).ids).to.have.members(['a1', 'b1'])
    const many = Array.from({ length: 16 }, (_, index) => waiting(`a${index}`))
    const large = account('a', { waiting: many, running: running(57, 1, 2) })
    const room = { startingPods: 64, ...reserve }
    expect(choose([large, single], room).ids, 'of a large limit').to.deep.equal([])
    const next = account('b', { waiting: [waiting('b1')], running: running(1, 1, 1) })
    expect(choose([batch(2), next], limits).ids).to.deep.equal(['b1'])
  })

  it('counts the start of work on a file as one', () => {
    const files = [1, 2, 3].map((number) => waiting(`a${number}`, 0))
    const { ids } = choose([account('a', { waiting: files })], { startingPods: 2 })
    expect(ids).to.deep.equal(['a1', 'a2'])
  })

  it('chooseAdmissions does not count what ended before the term', () => {
    const accounts = [
      account('a', { waiting: three('a'), usedVcpuSeconds: 1_000_000 }),
      account('b', { waiting: three('b') }),
    ]
    expect(choose(accounts, { capacityVcpus: 2 }).ids).to.have.members(['a1', 'b1'])
  })

  it('gives an account nothing for its idle time', () => {
    const limits = { ...freely, capacityVcpus: 2 }
    const heavy = (used: number) =>
      account('a', { waiting: three('a'), running: running(2, 1, 10), usedVcpuSeconds: used })
    let { time } = chooseAdmissions(beginningOfTime, [heavy(0), account('b')], limits)
    ;({ time } = chooseAdmissions(time, [heavy(5_000), account('b')], limits))
    const free = account('a', { waiting: three('a'), usedVcpuSeconds: 5_020 })
    const back = chooseAdmissions(time, [free, account('b', { waiting: three('b') })], limits)
    expect(back.admissions.map(({ commandIds }) => commandIds)).to.deep.equal([['a1'], ['b1']])
  })
})
