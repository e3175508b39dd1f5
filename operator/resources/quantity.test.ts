import { expect } from 'chai'
import { quantity } from './quantity.ts'

describe('quantity', () => {
  it('returns equal numbers for texts of the same amount', () => {
    expect(quantity('2000m')).to.equal(quantity('2'))
    expect(quantity('8192Mi')).to.equal(quantity('8Gi'))
    expect(quantity('0.5')).to.equal(quantity('500m'))
    expect(quantity('1k')).to.equal(1000)
  })

  it('returns null when a text is not a quantity', () => {
    for (const text of ['', 'Mi', '1x', '-1', '1 Gi']) expect(quantity(text), text).to.equal(null)
  })
})
