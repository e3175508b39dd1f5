import { expect } from 'chai'
import fc from 'fast-check'
import { BoundedMap } from './bounded-map.ts'

describe('a bounded map', () => {
  it('holds the newest entries, in the order in which they were set first', () => {
    const steps = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat()), { maxLength: 60 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), steps, (most, sets) => {
        const map = new BoundedMap<number, number>(most)
        let expected: [number, number][] = []
        for (const [key, value] of sets) {
          map.set(key, value)
          const at = expected.findIndex(([known]) => known === key)
          if (at >= 0) expected[at] = [key, value]
          else expected = [...expected, [key, value] as [number, number]].slice(-most)
        }
        expect([...map]).to.deep.equal(expected)
      }),
    )
  })

  it('keeps an entry that is deleted and set again for longest', () => {
    const map = new BoundedMap<string, number>(2)
    for (const key of ['a', 'b']) map.set(key, 1)
    map.delete('a')
    map.set('a', 2).set('c', 3)
    expect([...map.keys()]).to.deep.equal(['a', 'c'])
  })
})
