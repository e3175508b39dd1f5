import { expect } from 'chai'
import fc from 'fast-check'
import { filtersIn, isFiltered, listRequest, queryOf } from './delivery-filters.ts'

describe('filters of deliveries', () => {
  const read = (text: string) => filtersIn(new URLSearchParams(text))

  for (const text of ['', 'state=failed&event=file.stored&command=c&from=25&open=msg_1']) {
    it(`filters of deliveries are written as they were read: ${text || 'none'}`, () => {
      expect(queryOf(read(text)).toString()).to.equal(text)
    })
  }

  it('leave out what they do not know', () => {
    expect(queryOf(read('state=toString&event=x&from=-1')).toString()).to.equal('')
    expect(queryOf(read('from=1.5')).toString()).to.equal('')
  })

  it('become a request for one more than a page has', () => {
    expect(listRequest(read(''))).to.deep.equal({ limit: 26, offset: 0 })
    expect(listRequest(read('state=waiting&event=file.failed&command=c&from=50'))).to.deep.equal({
      limit: 26,
      offset: 50,
      status: 'PENDING',
      event: 'file.failed',
      command_id: 'c',
    })
  })

  it('counts filters of deliveries only where they narrow the list', () => {
    expect(['state=failed', 'from=25&open=x', 'command=c'].map(read).map(isFiltered)).to.deep.equal(
      [true, false, true],
    )
  })
})

describe('filters of deliveries in the address', () => {
  it('reads filters of deliveries from an address as they were written, for any filters', () => {
    const text = fc.option(fc.string())
    const filters = fc.record({
      state: fc.constantFrom('all', 'delivered', 'waiting', 'failed'),
      event: fc.option(fc.constantFrom('command.finished', 'file.stored', 'file.failed')),
      command: text,
      from: fc.nat(),
      open: text,
    })
    fc.assert(
      fc.property(filters, (some) => {
        const address = queryOf(some).toString()
        expect(filtersIn(new URLSearchParams(address))).to.deep.equal(some)
      }),
    )
  })
})
