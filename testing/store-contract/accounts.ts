import { expect } from 'chai'
import { commitOf, failed, newId } from './fixtures.ts'
import type { Session } from './fixtures.ts'

export function describeAccounts(session: Session): void {
  describe('accounts and keys', () => {
    const { store } = session

    it('keeps the account that has the name already', async () => {
      const name = `a${newId()}`
      const first = await store.ensureAccount({ accountId: newId(), name, plan: 'pro' })
      const second = await store.ensureAccount({ accountId: newId(), name, plan: 'free' })
      expect(second).to.deep.equal(first)
      expect(await store.findAccountByName(name)).to.deep.equal(first)
      expect(await store.findAccountByName('absent')).to.equal(null)
    })

    it('finds a key by its hash, the same after it was added twice', async () => {
      const sha256 = Buffer.alloc(32, newId())
      const key = { accountId: session.accountId, sha256, environmentName: 'staging' }
      await store.ensureApiKey(key)
      await store.ensureApiKey({ ...key, environmentName: 'other' })
      const found = await store.findKey(sha256)
      expect(found?.account.accountId).to.equal(session.accountId)
      expect(found?.environmentName).to.equal('staging')
      expect(await store.findKey(Buffer.alloc(32))).to.equal(null)
    })
  })
}

export function describeQuotas(session: Session): void {
  describe('admission to the quotas of the account', () => {
    const { store, dispatch, admit, admitWithin, row } = session
    const mbyte = 1_048_576
    const quota = { processingMbytes: 100, storageMbytes: null }
    const reserving = { mostReservedBytes: 40 * mbyte, vcpuCount: 1 }
    /** A command that ends with so many MB processed, and its release. */
    const use = async (mbytes: number, commandId: string) => {
      const attempt = `pod-${commandId}`
      await store.claimAttempt({ commandId, round: 1, podUid: attempt })
      const usage = {
        inputBytes: mbytes * mbyte,
        ...{ outputBytes: 0, ffmpegStarted: true, ffmpegRunSeconds: 1 },
      }
      const outcome = failed('FFMPEG_FAILED')
      await store.commitOutcome({ ...commitOf(commandId, attempt, outcome), usage })
      await store.releaseQuota(commandId)
    }
    const reserved = async () => (await store.readUsage(session.accountId)).reservedBytes / mbyte

    it('reserves bytes from the submission to the end, by the mean of commands that ended', async () => {
      const first = await dispatch(reserving)
      expect(await reserved()).to.equal(16)
      await admit()
      await use(20, first)
      expect(await reserved()).to.equal(0)
      const second = await dispatch(reserving)
      expect(await reserved()).to.equal(30)
      await store.commitOutcome(commitOf(second, null, failed('CANCELLED')))
      expect(await reserved()).to.equal(0)
      await dispatch({ vcpuCount: 1 })
      expect(await reserved()).to.equal(0)
    })

    it('admits while used and reserved bytes fit, then when a command has ended', async () => {
      const first = await dispatch(reserving)
      await admit()
      await use(80, first)
      // Each reserves 40 MB, the most that it may.
      const [second, third] = [await dispatch(reserving), await dispatch(reserving)]
      const admission = await admitWithin({ quota })
      expect(admission.admitted).to.deep.equal([second])
      expect(admission.quotaWait).to.match(
        /^Waits for the processing quota: 80 of 100 MB used, 80 MB/,
      )
      expect((await admitWithin({ quota })).admitted).to.deep.equal([])
      await use(10, second)
      expect((await admitWithin({ quota })).admitted).to.deep.equal([third])
    })

    it('ends commands as QUOTA_EXCEEDED once the quota is used up, and charges nothing', async () => {
      const first = await dispatch(reserving)
      await admit()
      const waiting = [await dispatch(reserving), await dispatch(reserving)]
      await use(100, first)
      const { admitted, ended, waiting: left } = await admitWithin({ quota })
      expect([admitted, ended, left]).to.deep.equal([[], waiting, 0])
      for (const id of waiting) {
        expect(await row(id)).to.deep.include({
          status: 'FAILED',
          errorStatus: 'QUOTA_EXCEEDED',
          errorMessage: 'Processing quota exceeded: 100 of 100 MB used this month',
          released: true,
        })
      }
      const { processingBytes, reservedBytes } = await store.readUsage(session.accountId)
      expect([processingBytes, reservedBytes]).to.deep.equal([100 * mbyte, 0])
    })
  })
}

export function describeFigures(session: Session): void {
  describe('figures', () => {
    const { store, age, submit, run } = session

    it('measures what waits', async () => {
      const before = await store.gauges()
      await submit({ vcpuCount: 5 })
      await run('pod-1', { vcpuCount: 3 })
      await age(100)
      const gauges = await store.gauges()
      expect(gauges.queuedVcpus - before.queuedVcpus).to.equal(5)
      expect(gauges.ledgerVcpus - before.ledgerVcpus).to.equal(3)
      expect(gauges.byStatus['PROCESSING']).to.equal((before.byStatus['PROCESSING'] ?? 0) + 1)
      expect(gauges.undispatchedSeconds).to.be.at.least(100)
      expect(gauges.oldestQueuedSeconds).to.be.at.least(100)
      expect(gauges.unmirroredSeconds).to.be.at.least(100)
    })
  })
}
