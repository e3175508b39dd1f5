import { expect } from 'chai'
import { planWith } from '../../testing/support/plans.ts'
import { commitOf, failed } from '../../testing/store-contract/fixtures.ts'
import { account, admissionWorld, other } from './admission.fixture.ts'

describe('admission', () => {
  it('admits the commands that fit the quota and returns why the others wait', async () => {
    const { admission, admitted, submit, pass } = admissionWorld()
    await submit('1', 3)
    await submit('2', 2)
    await pass()
    expect(admitted).to.deep.equal(['1'])
    expect(admission.reason('a', 2)).to.deep.equal({
      reason: 'WaitingForQuota',
      message: 'Needs 2 vCPUs; the account uses 3 of its 4',
    })
  })

  it('returns WaitingForCapacity when the limit of the installation is reached', async () => {
    const { admission, admitted, submit, pass } = admissionWorld()
    for (const id of ['1', '2', '3']) await submit(id, 1)
    await pass()
    expect(admitted).to.deep.equal(['1', '2'])
    expect(admission.reason('a', 1)?.reason).to.equal('WaitingForCapacity')
  })

  it('starts as many at a time as the limit of starts, and requests a pass when one has started', async () => {
    const { admission, admitted, submit, pass, store, woken } = admissionWorld({
      liveJobs: 10,
      startingPods: 2,
    })
    for (const id of ['1', '2', '3']) await submit(id, 1)
    await pass()
    expect(admitted).to.deep.equal(['1', '2'])
    expect(admission.reason('a', 1)?.reason).to.equal('WaitingForCapacity')
    await pass()
    expect(admitted).to.deep.equal(['1', '2'])
    await store.claimAttempt({ commandId: '1', jobGeneration: 1, podUid: 'pod' })
    admission.started('1')
    admission.started('1')
    expect(woken).to.have.length(1)
    await pass()
    expect(admitted).to.deep.equal(['1', '2', '3'])
  })

  it('the admission does not count a start of which nothing came within half a minute', async () => {
    const { admitted, submit, pass, clock } = admissionWorld({
      liveJobs: 10,
      startingPods: 2,
    })
    for (const id of ['1', '2', '3']) await submit(id, 1)
    await pass()
    await clock.advance(30_000)
    await pass()
    expect(admitted).to.deep.equal(['1', '2', '3'])
  })

  it('requests no pass when one has started and nothing limits the starts', async () => {
    const { admission, submit, pass, woken } = admissionWorld()
    await submit('1', 1)
    await pass()
    admission.started('1')
    expect(woken).to.deep.equal([])
  })

  it('returns no reason when the account has no waiting command', async () => {
    const { admission, submit, pass } = admissionWorld()
    await submit('1', 1)
    await pass()
    await pass()
    expect(admission.reason('a', 1)).to.equal(null)
  })

  it('admits the commands of other accounts when the admission of one fails', async () => {
    const { admitted, submit, pass, failing } = admissionWorld()
    await submit('1', 1)
    await submit('2', 1, other)
    failing.add('a')
    await pass()
    expect(admitted).to.deep.equal(['2'])
  })

  it('retries an account whose admission fails after 1 s, doubling up to 5 min', async () => {
    const { submit, pass, failing, tried, clock, admitted } = admissionWorld()
    await submit('1', 1)
    failing.add('a')
    const triedAtSeconds: number[] = []
    for (let second = 0; second < 1_500; second += 1) {
      const before = tried.length
      await pass()
      if (tried.length > before) triedAtSeconds.push(second)
      await clock.advance(1_000)
    }
    expect(triedAtSeconds).to.deep.equal([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1_111, 1_411])
    failing.clear()
    await clock.advance(300_000)
    await pass()
    expect(admitted).to.deep.equal(['1'])
  })

  it('throws the error of a pass when five admissions in a row fail', async () => {
    const { submit, pass, failing, tried } = admissionWorld({ liveJobs: 100 })
    for (let index = 0; index < 9; index += 1) {
      const owner = { accountId: `a${index}`, name: `acme-${index}`, plan: 'small' }
      await submit(`${index}`, 1, owner)
      failing.add(owner.accountId)
    }
    const error: unknown = await pass().catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'canceling statement')
    expect(tried).to.have.length(5)
    // The next pass begins with those that were not tried.
    await pass().catch((reason: unknown) => reason)
    expect(new Set(tried).size).to.equal(9)
  })

  it('returns WaitingForFairShare when what is free is reserved for an account of late', async () => {
    const { admission, admitted, submit, submitEnded, passes } = admissionWorld({
      liveJobs: 10,
      capacityVcpus: 4,
      reservedShare: 0.1,
    })
    await submitEnded('earlier', 1, other)
    for (const id of ['1', '2', '3', '4']) await submit(id, 1)
    await passes(1)
    expect(admitted).to.deep.equal(['1', '2', '3'])
    expect(admission.reason('a', 1)?.reason).to.equal('WaitingForFairShare')
    await submit('5', 1, other)
    await passes(1)
    expect(admitted).to.deep.equal(['1', '2', '3', '5'])
  })

  it('keeps a reserve for half an hour after the last submission of another account, and none before one', async () => {
    const settings = { liveJobs: 100, capacityVcpus: 12, reservedShare: 0.1, startingPods: null }
    const plans = { small: planWith({ vcpuTotal: null }) }
    const startedOf12 = async (minutes: number | null, changes: Partial<typeof settings> = {}) => {
      const world = admissionWorld({ ...settings, ...changes }, { plans })
      if (minutes !== null) {
        await world.submitEnded('earlier', 3, other)
        await world.clock.advance(minutes * 60_000)
      }
      for (let index = 0; index < 12; index += 1) await world.submit(`${index}`, 1)
      await world.passes(3)
      return world.admitted.length
    }
    expect(await startedOf12(null)).to.equal(12)
    expect(await startedOf12(10)).to.equal(9)
    expect(await startedOf12(29)).to.equal(9)
    expect(await startedOf12(31)).to.equal(12)
    expect(await startedOf12(10, { reservedShare: 0 })).to.equal(12)
  })

  it('remembers what it admitted, and a new leader what was submitted before its term', async () => {
    const settings = { liveJobs: 100, capacityVcpus: 12, reservedShare: 0.1 }
    const world = admissionWorld(settings, { plans: { small: planWith({ vcpuTotal: null }) } })
    await world.submit('earlier', 3, other)
    await world.pass()
    await world.store.commitOutcome(commitOf('earlier', null, failed('CANCELLED')))
    await world.store.releaseQuota('earlier')
    for (let index = 0; index < 12; index += 1) await world.submit(`${index}`, 1)
    await world.passes(2)
    expect(world.admitted).to.have.length(1 + 9)
    const next = world.leader()
    await world.pass(next)
    expect(world.admitted).to.have.length(1 + 9)
    expect(next.reason('a', 1)?.reason).to.equal('WaitingForFairShare')
  })

  it('returns the limit of the account that its work on files, or its Jobs, wait for', async () => {
    const { admission, submit, storeFile, pass } = admissionWorld(
      { liveJobs: 10, liveFileJobs: 10 },
      { plans: { small: planWith({ maxJobs: 1, fileJobs: 2 }) } },
    )
    for (const id of ['1', '2', '3']) await storeFile(`file-${id}`)
    for (const id of ['1', '2']) await submit(id, 1)
    await pass()
    expect(admission.reason('a', 0)).to.deep.equal({
      reason: 'WaitingForFileJobs',
      message: 'The account stores or analyses 2 files of at most 2 at a time',
    })
    expect(admission.reason('a', 1)).to.deep.equal({
      reason: 'WaitingForQuota',
      message: 'Needs a Job; the account runs 1 of its 1',
    })
  })

  it('leaves what an account does not start for its quota to other accounts', async () => {
    const plans = { small: planWith({ processingMbytes: 20, vcpuTotal: null }) }
    const { admission, admitted, clock, pass, store, submit } = admissionWorld({}, { plans })
    const reserving = (id: string, owner = account) => submit(id, 1, owner, 1e9)
    await reserving('1')
    await reserving('2')
    await reserving('3', other)
    await pass()
    expect(admitted).to.deep.equal(['1', '3'])
    await store.commitOutcome(commitOf('3', null, failed('CANCELLED')))
    await store.releaseQuota('3')
    await reserving('4', other)
    await pass()
    await pass()
    expect(admitted).to.deep.equal(['1', '3', '4'])
    expect(admission.reason('a', 1)).to.deep.equal({
      reason: 'WaitingForQuota',
      message:
        'Waits for the processing quota: 0 of 20 MB used, 32 MB reserved by this command and those that run',
    })
    await store.commitOutcome(commitOf('1', null, failed('CANCELLED')))
    await store.releaseQuota('1')
    await clock.advance(1_000)
    await pass()
    expect(admitted).to.deep.equal(['1', '3', '4', '2'])
  })

  it('records why an account waits when that changes, at most every 5 s', async () => {
    const { submit, pass, passes, store, clock } = admissionWorld({ liveJobs: 10 })
    const recorded = async (): Promise<string | null | undefined> =>
      (await store.findWaiting({ heads: 1 }))[0]?.reason
    await submit('1', 4)
    await submit('2', 2)
    await pass()
    expect(await recorded()).to.equal('ACCOUNT_VCPUS')
    await store.requestCancel('2', 'administrator')
    await clock.advance(1_000)
    await passes(4)
    expect(await recorded()).to.equal('ACCOUNT_VCPUS')
    await passes(1)
    expect(await recorded()).to.equal(null)
  })

  it('removes the reason of an account whose last command has ended between two passes', async () => {
    const { submit, passes, store } = admissionWorld({ liveJobs: 10 })
    const reasonOf = async (id: string) => (await store.findCommand('a', id))?.queueReason
    await submit('1', 16)
    await submit('2', 16)
    await passes(6)
    expect(await reasonOf('2')).to.equal('ACCOUNT_VCPUS')
    for (const commandId of ['1', '2']) {
      await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
      await store.releaseQuota(commandId)
    }
    await passes(6)
    await submit('3', 1)
    expect(await reasonOf('3')).to.equal(null)
  })

  it('records the vCPUs that an account uses on average, and again when they change by a tenth', async () => {
    const plans = { small: planWith({ vcpuTotal: null }) }
    const { submit, passes, store } = admissionWorld({ liveJobs: 1 }, { plans })
    const rate = async () => (await store.findWaiting({ heads: 1 }))[0]?.rateVcpus
    await submit('1', 4)
    for (const id of ['2', '3', '4']) await submit(id, 1)
    await passes(6)
    expect(await rate()).to.equal(4)
    await store.commitOutcome(commitOf('1', null, failed('CANCELLED')))
    await store.releaseQuota('1')
    await passes(20)
    expect(await rate()).to.be.within(1, 2.5)
  })

  it('records no less than the vCPUs that an account may use beside the others', async () => {
    const plans = { small: planWith({ vcpuTotal: null }) }
    const { submit, passes, store } = admissionWorld({ liveJobs: 1, capacityVcpus: 16 }, { plans })
    await submit('1', 4)
    await submit('2', 4)
    await submit('3', 4, other)
    await passes(6)
    const rates = (await store.findWaiting({ heads: 1 })).map(({ rateVcpus }) => rateVcpus)
    expect(rates).to.deep.equal([8, 8])
  })
})
