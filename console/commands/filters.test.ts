import { expect } from 'chai'
import { sinceFilters } from '../lists/since-filter.ts'
import { failures } from '../../common/domain/failures.ts'
import { filtersIn, isFiltered, listRequest, queryOf, stateFilters } from './filters.ts'

const now = Date.parse('2026-05-19T18:15:20.000Z')
const requestFor = (query: string) => listRequest(filtersIn(new URLSearchParams(query)), now)

describe('filters', () => {
  it('are the same after a way through the address', () => {
    for (const state of Object.keys(stateFilters)) {
      for (const since of Object.keys(sinceFilters)) {
        for (const before of [null, 'id']) {
          const query = new URLSearchParams({
            state,
            since,
            ...(before === null ? {} : { before }),
          })
          const filters = filtersIn(query)
          expect(filters).to.include({ state, since, before })
          expect(filtersIn(queryOf(filters))).to.deep.equal(filters)
        }
      }
    }
    expect(queryOf(filtersIn(new URLSearchParams())).toString()).to.equal('')
  })

  it('ignore what they do not know', () => {
    const filters = filtersIn(new URLSearchParams('state=odd&since=toString&error=DISK_FULL'))
    expect(filters).to.deep.equal({
      state: 'all',
      since: 'any',
      error: null,
      metadata: {},
      before: null,
    })
    expect(isFiltered(filters)).to.equal(false)
    expect(filtersIn(new URLSearchParams('state=failed&error=NONE')).error).to.equal(null)
  })

  it('become the request of a list', () => {
    expect(requestFor('')).to.deep.equal({ limit: 50, expand: 'progress,request' })
    expect(requestFor('state=running')).to.include({ status: 'PROCESSING,PREPARED_FFMPEG_COMMAND' })
    expect(requestFor('state=cancelled')).to.include({
      status: 'FAILED',
      error_status: 'CANCELLED',
    })
    expect(requestFor('state=failed&error=DISK_FULL')).to.include({ error_status: 'DISK_FULL' })
    expect(requestFor('since=day&before=x')).to.include({
      ...{ created_after: '2026-05-18T18:15:20.000Z', before_id: 'x' },
    })
  })

  it('reads filters by metadata with a span that the service searches, at most three values, and any keys', () => {
    const query = new URLSearchParams('metadata.order=17&metadata.a.b=x%3Dy&metadata.=1')
    const filters = filtersIn(query)
    expect(filters).to.deep.include({ since: 'month', metadata: { order: '17', 'a.b': 'x=y' } })
    expect(isFiltered(filters)).to.equal(true)
    expect(filtersIn(queryOf(filters))).to.deep.equal(filters)
    expect(listRequest(filters, now)).to.deep.include({
      ...{ metadata: { order: '17', 'a.b': 'x=y' }, created_after: '2026-04-19T18:15:20.000Z' },
    })
    const many = 'metadata.a=1&metadata.b=2&metadata.c=3&metadata.d=4&since=hour'
    expect(filtersIn(new URLSearchParams(many))).to.deep.include({
      ...{ since: 'hour', metadata: { a: '1', b: '2', c: '3' } },
    })
  })

  it('count cancelled commands as no failures', () => {
    const kinds = requestFor('state=failed')?.error_status?.split(',') ?? []
    expect(kinds).not.to.include('CANCELLED')
    expect(kinds).to.have.length(Object.keys(failures).length - 1)
  })
})
