import { expect } from 'chai'
import fc from 'fast-check'
import { sinceFilters } from '../lists/since-filter.ts'
import {
  filtersIn,
  isFiltered,
  kindFilters,
  listRequest,
  pageSize,
  queryOf,
  typeFilters,
} from './file-filters.ts'
import type { SinceFilter } from '../lists/since-filter.ts'
import type { KindFilter, TypeFilter } from './file-filters.ts'

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

  it('leave out what they do not know', () => {
    expect(queryOf(read('type=toString&kind=x&since=&view=wide')).toString()).to.equal('')
  })

  it('become a request that has only what is filtered by', () => {
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

  it('hide files where they narrow the list, not where they choose a page or a view', () => {
    expect(
      ['type=zip', 'view=list&before=b&open=f', 'kind=url'].map(read).map(isFiltered),
    ).to.deep.equal([false, false, true])
  })
})

describe('filters of files in the address', () => {
  it('reads filters of files from an address as they were written, for any filters', () => {
    const names = <Name extends string>(all: Readonly<Record<Name, string>>) =>
      fc.constantFrom(...(Object.keys(all) as Name[]))
    const filters = fc.record({
      type: names<TypeFilter>(typeFilters),
      kind: names<KindFilter>(kindFilters),
      since: names<SinceFilter>(sinceFilters),
      command: fc.option(fc.string()),
      before: fc.option(fc.string()),
      view: fc.constantFrom('grid' as const, 'list' as const),
      open: fc.option(fc.string()),
    })
    fc.assert(
      fc.property(filters, (some) => {
        expect(filtersIn(new URLSearchParams(queryOf(some).toString()))).to.deep.equal(some)
      }),
    )
  })
})
