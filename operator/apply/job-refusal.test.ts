import { expect } from 'chai'
import { refusalAfter, refusedForMs } from './job-refusal.ts'

const refusal = { reason: 'QuotaForbidden', message: '', permanent: false }
const answer = { jobGeneration: 1, refusal, random: 0, nowMs: 1_000 }

describe('refusalAfter', () => {
  it('refusalAfter doubles the wait with each refusal in a row, and begins anew in another generation', () => {
    const first = refusalAfter(null, answer)
    expect(refusedForMs(first, 1, 1_000)).to.equal(5_000)
    const second = refusalAfter(first, answer)
    expect(refusedForMs(second, 1, 1_000)).to.equal(10_000)
    expect(refusedForMs(second, 1, 20_000)).to.equal(0)
    expect(refusedForMs(second, 2, 1_000)).to.equal(0)
    expect(refusalAfter(second, { ...answer, jobGeneration: 2 })?.times).to.equal(1)
  })

  it('returns null when the Job was created', () => {
    expect(refusalAfter(refusalAfter(null, answer), { ...answer, refusal: null })).to.equal(null)
  })
})
