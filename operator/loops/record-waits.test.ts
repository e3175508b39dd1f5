import { expect } from 'chai'
import { changedWaits } from './record-waits.ts'

const recorded = { accountId: 'a', reason: 'CAPACITY', rateVcpus: 10 }

describe('changedWaits', () => {
  it('returns nothing for an account whose reason is the same and whose rate is near', () => {
    const waits = [{ ...recorded, rateVcpus: 10.9 }]
    expect(changedWaits([recorded], waits, new Map())).to.deep.equal([])
  })

  it('returns another reason, and a rate that has changed by more than a tenth', () => {
    for (const change of [{ reason: null }, { rateVcpus: 12 }, { rateVcpus: null }]) {
      const waits = [{ ...recorded, ...change }]
      expect(changedWaits([recorded], waits, new Map())).to.deep.equal(waits)
    }
  })

  it('removes the reason of an account that has left', () => {
    expect(changedWaits([], [], new Map([['b', 4]]))).to.deep.equal([
      { accountId: 'b', reason: null, rateVcpus: 4 },
    ])
  })
})
