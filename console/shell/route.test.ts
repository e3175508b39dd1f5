import { expect } from 'chai'
import fc from 'fast-check'
import { hrefOf, routeOf } from './route.ts'

describe('routeOf', () => {
  for (const base of ['/console/', '/media/ffmpeg/console/']) {
    it(`finds the pages below ${base}`, () => {
      for (const path of [base, base.slice(0, -1), `${base}commands`, `${base}commands/`]) {
        const found = routeOf(base, path, '?state=failed')
        expect(found.page, path).to.equal('commands')
        expect(found.page === 'commands' && found.query.get('state')).to.equal('failed')
      }
      expect(routeOf(base, `${base}commands/a%2Fb/`, '')).to.deep.equal({
        page: 'command',
        id: 'a/b',
      })
      expect(routeOf(base, `${base}commands/a/b`, '').page).to.equal('unknown')
      for (const from of [null, 'a?b']) {
        const href = hrefOf(base, { page: 'playground', from })
        const { pathname, search } = new URL(href, 'http://localhost')
        expect(routeOf(base, pathname, search)).to.deep.equal({ page: 'playground', from })
      }
      for (const page of ['files', 'webhooks'] as const) {
        const href = hrefOf(base, { page, query: new URLSearchParams('open=a b') })
        const { pathname, search } = new URL(href, 'http://localhost')
        const found = routeOf(base, pathname, search)
        expect(found.page).to.equal(page)
        expect(found.page === page && found.query.get('open')).to.equal('a b')
      }
      expect(routeOf(base, `${base}other`, '')).to.deep.equal({ page: 'unknown', path: 'other' })
    })
  }

  it('reads what hrefOf has written for any id', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        const href = hrefOf('/console/', { page: 'command', id })
        const { pathname } = new URL(href, 'http://localhost')
        // A path of dots alone is resolved by browsers.
        fc.pre(!/^\.+$/.test(id) && pathname === href)
        expect(routeOf('/console/', pathname, '')).to.deep.equal({ page: 'command', id })
      }),
    )
  })

  it('takes a badly encoded id as it is', () => {
    expect(routeOf('/console/', '/console/commands/%zz', '')).to.deep.equal({
      page: 'command',
      id: '%zz',
    })
  })
})
