import { expect } from 'chai'
import {
  afterBinding,
  afterCount,
  afterFailure,
  afterSuccess,
  newPool,
  poolWaits,
} from './pool-state.ts'

describe('the past of the warm pool', () => {
  it('a new pool has no waits before anything has happened', () => {
    expect(poolWaits(newPool, 5_000)).to.deep.equal({ sinceBind: null, surplusFor: 0, backoff: 0 })
  })

  it('counts from the last binding and from the first surplus', () => {
    const bound = afterBinding(afterBinding(newPool, 1_000), 2_000)
    const surplus = afterCount(afterCount(bound, true, 3_000), true, 4_000)
    expect(poolWaits(surplus, 5_000)).to.include({ sinceBind: 3, surplusFor: 2 })
    expect(poolWaits(afterCount(surplus, false, 5_000), 6_000)).to.include({ surplusFor: 0 })
  })

  it('the pool waits twice as long after each failure in a row, and not after a success', () => {
    const once = afterFailure(newPool, 'Evicted', 1_000)
    const twice = afterFailure(once, 'Evicted', 2_000)
    expect(poolWaits(once, 1_000)).to.include({ backoff: 1 })
    expect(poolWaits(twice, 2_500)).to.include({ backoff: 1.5 })
    expect(poolWaits(afterSuccess(twice), 2_500)).to.include({ backoff: 0 })
    expect([...twice.loggedReasons]).to.deep.equal(['Evicted'])
    expect([...afterSuccess(twice).loggedReasons]).to.deep.equal([])
  })
})
