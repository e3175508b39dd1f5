import { expect } from 'chai'
import { filtersIn, isFiltered, listRequest, queryOf } from './delivery-filters.ts'

describe('filters of deliveries', () => {
  const read = (text: string) => filtersIn(new URLSearchParams(text))

  for (const text of ['', 'state=failed&event=file.stored&command=c&from=25&open=msg_1']) {
    it(`filters of deliveries are written as they were read: ${text || 'none'}`, () => {
      expect(queryOf(read(text)).toString()).to.equal(text)
    })
  }

  it('filters of deliveries become a request for one more than a page has', () => {
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
