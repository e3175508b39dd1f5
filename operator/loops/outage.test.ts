import { expect } from 'chai'
import { createOutage } from './outage.ts'

describe('createOutage', () => {
  it('an outage is certain after five failures in a row of three accounts', () => {
    const outage = createOutage()
    const failed = ['a', 'a', 'a', 'a', 'a', 'b', 'c'].map((id) => outage.failed([id]))
    expect(failed).to.deep.equal([false, false, false, false, false, false, true])
  })

  it('counts again after an answer', () => {
    const outage = createOutage()
    for (const id of ['a', 'b', 'c', 'd']) outage.failed([id])
    outage.answered()
    expect(['e', 'f', 'g', 'h', 'i'].map((id) => outage.failed([id])).indexOf(true)).to.equal(4)
  })

  it('counts each piece of work of an item', () => {
    expect(createOutage().failed(['a', 'a', 'b', 'b', 'c'])).to.equal(true)
    expect(createOutage().failed(['a', 'a', 'a', 'b', 'b'])).to.equal(false)
  })
})
