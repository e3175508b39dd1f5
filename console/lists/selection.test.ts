import { expect } from 'chai'
import fc from 'fast-check'
import { createSelection, toggledSelection } from './selection.ts'

describe('createSelection', () => {
  const shown = ['a', 'b', 'c', 'd']
  const after = (...picks: readonly (readonly [id: string, isRange: boolean])[]) => {
    const { chosen, pick } = createSelection()
    for (const [id, isRange] of picks) pick(id, shown, isRange)
    return [...chosen.value].toSorted().join('')
  }

  it('pick chooses one id, and takes it out when it was chosen', () => {
    expect(after(['b', false], ['d', false])).to.equal('bd')
    expect(after(['b', false], ['b', false])).to.equal('')
  })

  it('pick gives all ids from the last one on the state of this one, in both directions', () => {
    expect(after(['b', false], ['d', true])).to.equal('bcd')
    expect(after(['d', false], ['b', true])).to.equal('bcd')
    expect(after(['a', false], ['d', true], ['b', false], ['d', true])).to.equal('a')
  })

  it('pick chooses this id alone when no other was picked before, or that one is gone', () => {
    expect(after(['c', true])).to.equal('c')
    expect(after(['gone', false], ['c', true])).to.equal('cgone')
  })
})

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
