import { expect } from 'chai'
import fc from 'fast-check'
import { addressFilters, anyText, offset, oneOf } from './address-filters.ts'

const states = { all: 'All', failed: 'Failed' }
const { filtersIn, queryOf, hasAny } = addressFilters({
  state: oneOf(states, 'all'),
  event: oneOf(states, null),
  command: anyText,
  from: offset,
})
const read = (text: string) => filtersIn(new URLSearchParams(text))

describe('addressFilters', () => {
  it('filtersIn returns defaults for an empty address, and queryOf an empty address for defaults', () => {
    expect(read('')).to.deep.equal({ state: 'all', event: null, command: null, from: 0 })
    expect(queryOf(read('')).toString()).to.equal('')
  })

  it('filtersIn returns the default for a text that is not a value', () => {
    for (const text of ['', 'Failed', 'toString', '__proto__']) {
      expect(read(`state=${text}&event=${text}`), text).to.include({ state: 'all', event: null })
    }
    for (const text of ['', 'x', '-1', '1.5', '1e3', '9'.repeat(20)]) {
      expect(read(`from=${text}`).from, text).to.equal(0)
    }
  })

  it('filtersIn reads any filters that queryOf wrote', () => {
    const filters = fc.record({
      state: fc.constantFrom('all' as const, 'failed' as const),
      event: fc.constantFrom(null, 'all' as const, 'failed' as const),
      command: fc.option(fc.string()),
      from: fc.nat(),
    })
    fc.assert(
      fc.property(filters, (some) => {
        expect(read(queryOf(some).toString())).to.deep.equal(some)
      }),
    )
  })

  it('hasAny returns whether one of the named filters does not have its default', () => {
    expect(hasAny(read('from=25'), ['state', 'command'])).to.equal(false)
    expect(hasAny(read('from=25&command=c'), ['state', 'command'])).to.equal(true)
  })
})
