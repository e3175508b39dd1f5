import { expect } from 'chai'
import { failures } from '../../common/domain/failures.ts'
import {
  filtersIn,
  isFiltered,
  listRequest,
  queryOf,
  sinceFilters,
  stateFilters,
} from './filters.ts'

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
    expect(filters).to.deep.equal({ state: 'all', since: 'any', error: null, before: null })
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

  it('count cancelled commands as no failures', () => {
    const kinds = requestFor('state=failed')?.error_status?.split(',') ?? []
    expect(kinds).not.to.include('CANCELLED')
    expect(kinds).to.have.length(Object.keys(failures).length - 1)
  })
})
