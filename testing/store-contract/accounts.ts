import { expect } from 'chai'
import { commitOf, failed, newId } from './fixtures.ts'
import type { Session } from './fixtures.ts'
import type { PauseTarget } from '../../common/store/administration/pauses.ts'

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

    it('an account has one key of the bootstrap Secret, the one that it holds now', async () => {
      const { accountId } = session
      const [first, second] = [Buffer.alloc(32, newId()), Buffer.alloc(32, newId())]
      const added = await store.ensureFirstKey({ accountId, sha256: first })
      expect(added).to.deep.equal({ isRevoked: false, replaced: 0 })
      expect(await store.findKey(first)).to.not.equal(null)
      const replacing = await store.ensureFirstKey({ accountId, sha256: second })
      expect(replacing).to.deep.equal({ isRevoked: false, replaced: 1 })
      expect(await store.findKey(first)).to.equal(null)
      expect(await store.findKey(second)).to.not.equal(null)
      const again = await store.ensureFirstKey({ accountId, sha256: first })
      expect(again.isRevoked).to.equal(true)
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
      await store.claimAttempt({ commandId, jobGeneration: 1, podUid: attempt })
      const usage = {
        inputBytes: mbytes * mbyte,
        outputBytes: 0,
        ffmpegStarted: true,
        ffmpegRunSeconds: 1,
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
      const [waiting, earlier] = [gauges.waiting.DISPATCH, before.waiting.DISPATCH]
      expect((waiting?.vcpus ?? 0) - (earlier?.vcpus ?? 0)).to.equal(5)
      expect((waiting?.commands ?? 0) - (earlier?.commands ?? 0)).to.equal(1)
      expect(waiting?.oldestSeconds).to.be.at.least(100)
      expect(gauges.ledgerVcpus - before.ledgerVcpus).to.equal(3)
      expect(gauges.byStatus['PROCESSING']).to.equal((before.byStatus['PROCESSING'] ?? 0) + 1)
      expect(gauges.undispatchedSeconds).to.be.at.least(100)
      expect(gauges.unmirroredSeconds).to.be.at.least(100)
    })
  })
}

const all = { limit: 1_000, liveLimit: 100_000, lookAhead: 1_000, retries: true }
const deliveries = { limit: 64, perAccount: 32, perReceiver: 8, underWay: [], leaseSeconds: 40 }

export function describePauses(session: Session): void {
  describe('pauses', () => {
    const { store, submit, dispatch, admit } = session

    const reasonOf = async (commandId: string) =>
      (await store.findCommand(session.accountId, commandId))?.queueReason

    const undispatched = async () =>
      (await store.claimUndispatched({ ...all, leaseSeconds: 0 })).map(
        (claimed) => claimed.commandId,
      )
    const found = async () =>
      (await store.findWaiting({ heads: 16 })).find(
        ({ accountId }) => accountId === session.accountId,
      )

    afterEach(async () => {
      for (const { what, accountId } of await store.readPauses()) {
        if (what === 'account') await store.resume({ what, accountId: accountId ?? '' })
        else await store.resume({ what })
      }
    })

    it('pauses are kept once with the latest reason, until they are resumed', async () => {
      const account: PauseTarget = { what: 'account', accountId: session.accountId }
      await store.pause({ what: 'webhooks' }, 'their server is moved')
      await store.pause(account, 'it did not pay')
      await store.pause(account, 'it still did not pay')
      const kept = (await store.readPauses()).map(({ what, accountId, why }) => [
        what,
        accountId,
        why,
      ])
      expect(kept).to.have.deep.members([
        ['webhooks', null, 'their server is moved'],
        ['account', session.accountId, 'it still did not pay'],
      ])
      expect(await store.resume(account)).to.equal(true)
      expect(await store.resume(account)).to.equal(false)
      expect(await store.readPauses()).to.have.length(1)
    })

    it('pauses keep rows from dispatch, and show it as what they wait for', async () => {
      const id = await submit()
      await store.pause({ what: 'dispatch' }, 'the cluster is upgraded')
      expect(await undispatched()).not.to.include(id)
      expect(await reasonOf(id)).to.equal('PAUSED')
      await store.resume({ what: 'dispatch' })
      expect(await undispatched()).to.include(id)
      expect(await reasonOf(id)).to.equal('DISPATCH')
    })

    it('pauses keep commands from admission also when a pass has chosen them before', async () => {
      await dispatch()
      await store.pause({ what: 'admission' }, 'the nodes are drained')
      expect(await found()).to.deep.include({ pausedWhy: 'the nodes are drained' })
      expect((await admit()).admitted).to.deep.equal([])
      await store.resume({ what: 'admission' })
      expect(await found()).to.deep.include({ pausedWhy: null })
      expect((await admit()).admitted).to.have.length(1)
    })

    it('returns the reason why one account is paused in place of the reason of a general pause', async () => {
      await submit()
      await dispatch()
      await store.pause({ what: 'admission' }, 'the nodes are drained')
      await store.pause({ what: 'account', accountId: session.accountId }, 'its bucket is full')
      expect(await found()).to.deep.include({ pausedWhy: 'its bucket is full' })
    })

    it('pauses the queue of one account alone', async () => {
      const account = { accountId: newId(), name: `a${newId()}`, plan: 'pro' }
      const { accountId: other } = await store.ensureAccount(account)
      const [own, theirs] = [await submit(), await submit({ accountId: other })]
      await dispatch()
      await store.pause({ what: 'account', accountId: session.accountId }, 'its bucket is full')
      const claimed = await undispatched()
      expect(claimed).to.include(theirs).and.not.include(own)
      expect((await admit()).admitted).to.deep.equal([])
    })

    it('pauses keep deliveries of webhooks until they are resumed', async () => {
      const id = await submit({ webhookUrl: 'https://paused.example/x' })
      await store.pause({ what: 'webhooks' }, 'the receivers are moved')
      await store.commitOutcome(commitOf(id, null, failed('CANCELLED')))
      expect(await store.claimDeliveries(deliveries)).to.deep.equal([])
      await store.resume({ what: 'webhooks' })
      const [claimed] = await store.claimDeliveries(deliveries)
      expect(claimed).to.deep.include({ commandId: id })
    })
  })
}
