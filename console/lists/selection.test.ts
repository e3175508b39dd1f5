import { expect } from 'chai'
import fc from 'fast-check'
import { toggledSelection } from './selection.ts'

describe('toggledSelection', () => {
  it('toggled returns the set with or without the item, and the first set after a second call', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.nat(9), (items, item) => {
        const chosen = new Set(items)
        const once = toggledSelection(chosen, item)
        expect(once.has(item)).to.equal(!chosen.has(item))
        expect(toggledSelection(once, item)).to.deep.equal(chosen)
        expect(chosen, 'the set itself stays').to.deep.equal(new Set(items))
      }),
    )
  })
})
