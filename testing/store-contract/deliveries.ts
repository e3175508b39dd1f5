import { expect } from 'chai'
import { commitOf, failed, newId } from './fixtures.ts'
import { backoffFailures } from '../../common/store/webhooks.ts'
import type { ClaimedDelivery, DeliveryClaim } from '../../common/store/webhooks.ts'
import type { Session } from './fixtures.ts'

export function describeDeliveries(session: Session): void {
  describe('deliveries of webhooks', () => {
    const { store, age } = session

    const ended = async (host: string, accountId = session.accountId) => {
      const commandId = await session.submit({ accountId, webhookUrl: `https://${host}.example/x` })
      await store.commitOutcome(commitOf(commandId, null, failed('CANCELLED')))
      return commandId
    }
    const claim = (change: Partial<DeliveryClaim> = {}) =>
      store.claimDeliveries({
        limit: 64,
        perAccount: 32,
        perReceiver: 8,
        underWay: [],
        leaseSeconds: 40,
        ...change,
      })
    const idsOf = (claimed: readonly ClaimedDelivery[]) => claimed.map((one) => one.commandId)
    const attempt = { at: '2026-05-19T18:15:45.401000Z', response_status: 500, error: null }
    const fail = (delivery: ClaimedDelivery, nextAttemptInSeconds = 5) =>
      store.recordDelivery({
        ...delivery,
        attempt,
        sent: true,
        requestHeaders: null,
        status: 'PENDING',
        nextAttemptInSeconds,
      })
    const succeed = (delivery: ClaimedDelivery, sent = true) =>
      store.recordDelivery({
        ...delivery,
        attempt,
        sent,
        requestHeaders: null,
        status: sent ? 'DELIVERED' : 'FAILED',
        nextAttemptInSeconds: null,
      })
    const only = (claimed: readonly ClaimedDelivery[]) => {
      const [first, ...more] = claimed
      if (first === undefined || more.length > 0) throw new Error(`${claimed.length} were claimed`)
      return first
    }

    afterEach(async () => {
      // The tests share a store, and claims find the deliveries of all accounts.
      await age(2_000)
      for (let more = await claim(); more.length > 0; more = await claim()) {
        for (const one of more) await succeed(one)
      }
    })

    it('deliveries are claimed once, and again when they fail or their lease ends', async () => {
      const id = await ended('one')
      const first = only(await claim())
      expect(first).to.deep.include({ commandId: id, receiver: 'https://one.example', plan: 'pro' })
      expect(await claim()).to.deep.equal([])
      await fail(first)
      expect(await claim()).to.deep.equal([])
      await age(6)
      const second = only(await claim())
      expect(second).to.include({ failedAttempts: 1 })
      await age(41)
      const third = only(await claim())
      expect(await succeed(second)).to.equal(false)
      await store.releaseDelivery(third)
      const fourth = only(await claim())
      expect(await store.keepDeliveryBody({ ...fourth, body: 'first' })).to.equal('first')
      expect(await succeed(fourth)).to.equal(true)
      expect(await succeed(fourth)).to.equal(false)
    })

    it('deliveries are claimed at once after any number of looks that found none', async () => {
      for (const waitSeconds of [0, 2, 5, 9, 20, 100_000]) {
        await age(waitSeconds)
        expect(await claim()).to.deep.equal([])
        const id = await ended('again')
        const claimed = only(await claim())
        expect(claimed.commandId, `${waitSeconds}`).to.equal(id)
        await succeed(claimed)
        for (const seconds of [2, 3, 5, 9]) {
          expect(await claim()).to.deep.equal([])
          await age(seconds)
        }
        expect(await store.rearmReceivers()).to.equal(0)
      }
    })

    it('deliveries are claimed by accounts in turns, each receiver with its share', async () => {
      const other = await store.ensureAccount({
        accountId: newId(),
        name: newId(),
        plan: 'pro',
      })
      for (let host = 0; host < 6; host += 1) await ended(`a${host}`)
      for (let event = 0; event < 4; event += 1) await ended('a0')
      const own = await ended('b', other.accountId)
      const claimed = await claim({ limit: 3, perReceiver: 2 })
      expect(idsOf(claimed)).to.include(own)
      expect(new Set(claimed.map(({ receiver }) => receiver)).size).to.equal(3)
      const rest = await claim({ underWay: claimed, perReceiver: 2, perAccount: 5 })
      // Two of five attempts are in flight, and the other account has no more.
      expect(rest).to.have.length(3)
      const all = await claim({ underWay: [...claimed, ...rest], perReceiver: 2 })
      const ofFirst = [...claimed, ...rest, ...all].filter(({ receiver }) =>
        receiver.includes('a0'),
      )
      expect(ofFirst).to.have.length(2)
      for (const one of claimed) await succeed(one)
      expect(await claim({ perReceiver: 8 })).to.have.length(3)
    })

    it(`deliveries back off a receiver after ${backoffFailures} failures in a row, until it answers again`, async () => {
      for (let event = 0; event <= backoffFailures; event += 1) await ended('down')
      const claimed = await claim({ perReceiver: backoffFailures })
      for (const one of claimed) await fail(one, 1_000)
      const healthy = await ended('up')
      await ended('down')
      expect(only(await claim()).commandId).to.equal(healthy)
      // Seconds remain, so that a slow machine does not spend them.
      await age(1)
      expect(await claim()).to.deep.equal([])
      await age(5)
      // One attempt shows whether the receiver answers.
      const probe = only(await claim())
      await fail(probe, 1)
      await age(2)
      expect(await claim()).to.deep.equal([])
      await age(10)
      const again = only(await claim())
      expect(await claim({ underWay: [again] })).to.deep.equal([])
      await succeed(again)
      expect(await claim()).to.have.length(1)
    })

    it('a receiver to which nothing was sent is not backed off, and none for more than 5 minutes', async () => {
      for (let event = 0; event < 6; event += 1) {
        await ended('unsent')
        await succeed(only(await claim()), false)
      }
      await ended('unsent')
      await succeed(only(await claim()))
      await ended('dead')
      for (let failure = 0; failure < 14; failure += 1) {
        await fail(only(await claim()), 1)
        await age(302)
      }
      expect(await store.rearmReceivers()).to.equal(0)
    })

    it('deliveries are counted without the time for which their receiver is backed off', async () => {
      const before = await store.deliveryGauges()
      for (let event = 0; event < backoffFailures + 3; event += 1) await ended('late')
      for (const one of await claim()) await fail(one, 1)
      await age(30)
      const gauges = await store.deliveryGauges()
      expect(gauges.pending).to.equal(before.pending + backoffFailures + 3)
      expect(gauges.overdueSeconds).to.equal(0)
      expect(gauges.oldestPendingSeconds).to.be.at.least(30)
      expect(await store.expireDeliveries({ days: 1, limit: 1 })).to.be.at.most(1)
    })
  })
}
