import { expect } from 'chai'
import { claimPause, claimed, claiming, firstClaim, notified } from './claim-pause.ts'
import type { ClaimState } from './claim-pause.ts'

describe('claimPause', () => {
  const none = { rows: 0, isFull: false, hasRoom: true }
  const pauseAfter = (state: ClaimState, found = none) =>
    claimPause(claimed(claiming(state), found), found, () => 100)
  const inVain = (state: ClaimState) => claimed(claiming(notified(state)), none)

  it('the pause is the interval of the polls when there are no more rows', () => {
    expect(pauseAfter(firstClaim)).to.deep.equal({ ms: 100, isWoken: true })
    expect(pauseAfter(firstClaim, { ...none, rows: 3 })).to.deep.equal({ ms: 100, isWoken: true })
  })

  it('the pause is null when there may be more rows and slots for them', () => {
    expect(pauseAfter(firstClaim, { rows: 16, isFull: true, hasRoom: true })).to.equal(null)
  })

  it('the pause is 20 ms while nearly all slots are taken', () => {
    const full = { rows: 16, isFull: true, hasRoom: false }
    expect(pauseAfter(firstClaim, full)).to.deep.equal({ ms: 20, isWoken: true })
  })

  it('the pause is 50 ms, notifications or not, when two of them led to no row', () => {
    const once = inVain(firstClaim)
    expect(pauseAfter(notified(once))).to.deep.equal({ ms: 50, isWoken: false })
    expect(pauseAfter(once)).to.deep.equal({ ms: 100, isWoken: true })
    expect(pauseAfter(notified(once), { ...none, rows: 1 })?.ms).to.equal(100)
  })
})
