import { expect } from 'chai'
import fc from 'fast-check'
import { sinceFilters } from '../lists/since-filter.ts'
import { failures } from '../../common/domain/failures.ts'
import {
  filtersIn,
  isFiltered,
  listRequest,
  queryOf,
  stateFilters,
  withMetadata,
} from './filters.ts'

const now = Date.parse('2026-05-19T18:15:20.000Z')
const requestFor = (query: string) => listRequest(filtersIn(new URLSearchParams(query)), now)
const none = filtersIn(new URLSearchParams())

describe('filters', () => {
  it('filters are the same after a way through the address', () => {
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

  it('filters of commands ignore what they do not know', () => {
    const filters = filtersIn(new URLSearchParams('state=odd&since=toString&error=DISK_FULL'))
    expect(filters).to.deep.equal({
      state: 'all',
      since: 'any',
      error: null,
      metadata: {},
      search: null,
      before: null,
    })
    expect(isFiltered(filters)).to.equal(false)
    expect(filtersIn(new URLSearchParams('state=failed&error=NONE')).error).to.equal(null)
  })

  it('filters of commands become the request of a list', () => {
    expect(requestFor('')).to.deep.equal({ limit: 50, expand: 'progress,request,names,preview' })
    expect(requestFor('state=running')).to.include({ status: 'PROCESSING,PREPARED_FFMPEG_COMMAND' })
    expect(requestFor('state=cancelled')).to.include({
      status: 'FAILED',
      error_status: 'CANCELLED',
    })
    expect(requestFor('state=failed&error=DISK_FULL')).to.include({ error_status: 'DISK_FULL' })
    expect(requestFor('search=film.mov')).to.include({ search: 'film.mov' })
    expect(isFiltered(filtersIn(new URLSearchParams('search=film.mov')))).to.equal(true)
    expect(requestFor('since=day&before=x')).to.include({
      created_after: '2026-05-18T18:15:20.000Z',
      before_id: 'x',
    })
  })

  it('reads filters by metadata with a span that the service searches, at most three values, and any keys', () => {
    const query = new URLSearchParams('metadata.order=17&metadata.a.b=x%3Dy&metadata.=1')
    const filters = filtersIn(query)
    expect(filters).to.deep.include({ since: 'month', metadata: { order: '17', 'a.b': 'x=y' } })
    expect(isFiltered(filters)).to.equal(true)
    expect(filtersIn(queryOf(filters))).to.deep.equal(filters)
    expect(listRequest(filters, now)).to.deep.include({
      metadata: { order: '17', 'a.b': 'x=y' },
      created_after: '2026-04-19T18:15:20.000Z',
    })
    const many = 'metadata.a=1&metadata.b=2&metadata.c=3&metadata.d=4&since=hour'
    expect(filtersIn(new URLSearchParams(many))).to.deep.include({
      since: 'hour',
      metadata: { a: '1', b: '2', c: '3' },
    })
  })

  it('filters of commands do not count cancelled commands as failures', () => {
    const kinds = requestFor('state=failed')?.error_status?.split(',') ?? []
    expect(kinds).not.to.include('CANCELLED')
    expect(kinds).to.have.length(Object.keys(failures).length - 1)
  })
})

describe('filters of commands in the address', () => {
  const names = <Name extends string>(all: Readonly<Record<Name, string>>) =>
    fc.constantFrom(...(Object.keys(all) as Name[]))
  const metadata = fc.dictionary(fc.string({ minLength: 1 }), fc.string(), {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  })

  it('reads filters of commands from an address as they were written, for any filters', () => {
    const states = names(stateFilters)
    const spans = names(sinceFilters)
    fc.assert(
      fc.property(
        states,
        spans,
        fc.option(metadata),
        fc.option(fc.string()),
        fc.option(fc.string()),
        (state, since, some, search, before) => {
          const span = some !== null && since === 'any' ? 'month' : since
          const filters = { state, since: span, error: null, metadata: some ?? {}, search, before }
          const address = queryOf(filters).toString()
          expect(filtersIn(new URLSearchParams(address))).to.deep.equal(filters)
        },
      ),
    )
  })
})

describe('withMetadata', () => {
  it('withMetadata splits a text at its first = or :, and returns null for a text without a key', () => {
    const added = (text: string) => withMetadata(none, text)?.metadata
    expect(added('order=17')).to.deep.equal({ order: '17' })
    expect(added('  film name :  a = b ')).to.deep.equal({ 'film name': 'a = b' })
    expect(added('empty=')).to.deep.equal({ empty: '' })
    for (const text of ['', 'order', '=17', ' : x']) expect(added(text), text).to.equal(undefined)
  })

  it('withMetadata keeps values of other keys and replaces the value of the same key', () => {
    const filters = { ...none, metadata: { a: '1', b: '2' } }
    expect(withMetadata(filters, 'a=3')?.metadata).to.deep.equal({ a: '3', b: '2' })
  })

  it('withMetadata chooses a span that the service searches when none is chosen', () => {
    expect(withMetadata(none, 'a=1')?.since).to.equal('month')
    expect(withMetadata({ ...none, since: 'hour' }, 'a=1')?.since).to.equal('hour')
  })
})
