import { expect } from 'chai'
import fc from 'fast-check'
import { hrefOf, routeOf } from './route.ts'

describe('routeOf', () => {
  for (const base of ['/console/', '/media/ffmpeg/console/']) {
    it(`finds the pages below ${base}`, () => {
      for (const path of [base, base.slice(0, -1), `${base}commands`, `${base}commands/`]) {
        const { page, id, query } = routeOf(base, path, '?state=failed')
        expect([page, id, query.get('state')], path).to.deep.equal(['commands', null, 'failed'])
      }
      const command = routeOf(base, `${base}commands/a%2Fb/`, '')
      expect(command).to.deep.include({ page: 'commands', id: 'a/b' })
      expect(routeOf(base, `${base}commands/a/b`, '')).to.deep.include({
        page: 'commands/a/b',
        id: null,
      })
      for (const [page, text] of [
        ['playground', 'from=a?b'],
        ['files', 'open=a b'],
        ['webhooks', ''],
      ] as const) {
        const href = hrefOf(base, { page, query: new URLSearchParams(text) })
        const { pathname, search } = new URL(href, 'http://localhost')
        const found = routeOf(base, pathname, search)
        expect(found).to.deep.include({ page, id: null })
        expect(found.query.toString()).to.equal(new URLSearchParams(text).toString())
      }
      expect(routeOf(base, `${base}other`, '')).to.deep.include({ page: 'other', id: null })
    })
  }

  it('reads what hrefOf has written for any id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        const href = hrefOf('/console/', { page: 'commands', id })
        const { pathname } = new URL(href, 'http://localhost')
        // A path of dots alone is resolved by browsers.
        fc.pre(!/^\.+$/.test(id) && pathname === href)
        expect(routeOf('/console/', pathname, '')).to.deep.include({ page: 'commands', id })
      }),
    )
  })

  it('takes a badly encoded id as it is', () => {
    expect(routeOf('/console/', '/console/commands/%zz', '')).to.deep.include({
      page: 'commands',
      id: '%zz',
    })
  })
})
