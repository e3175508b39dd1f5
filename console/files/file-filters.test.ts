import { expect } from 'chai'
import { filtersIn, isFiltered, listRequest, pageSize, queryOf } from './file-filters.ts'

describe('filters of files', () => {
  const now = Date.parse('2026-11-24T12:00:00Z')
  const read = (text: string) => filtersIn(new URLSearchParams(text))

  for (const text of [
    '',
    'type=video&kind=upload&since=day&command=c&before=b&view=list&open=f',
    'type=other&since=month',
  ]) {
    it(`filters of files are written as they were read: ${text || 'none'}`, () => {
      expect(queryOf(read(text)).toString()).to.equal(text)
    })
  }

  it('filters of files become a request that has only what is filtered by', () => {
    expect(listRequest(read(''), now)).to.deep.equal({ limit: pageSize })
    expect(
      listRequest(read('type=other&kind=output&since=hour&command=c&before=b'), now),
    ).to.deep.equal({
      limit: pageSize,
      file_type: 'subtitles,zip,other',
      kind: 'output',
      created_after: '2026-11-24T11:00:00.000Z',
      command_id: 'c',
      before_id: 'b',
    })
  })

  it('isFiltered returns true for files when filters narrow the list, not when they choose a page or a view', () => {
    expect(
      ['type=zip', 'view=list&before=b&open=f', 'kind=url'].map(read).map(isFiltered),
    ).to.deep.equal([false, false, true])
  })
})
