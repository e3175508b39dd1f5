import { expect } from 'chai'
import fc from 'fast-check'
import { viewsIn, withView } from './named-views.ts'

describe('saved views', () => {
  const view = { name: 'Failed today', query: 'state=failed' }

  it('reads saved views from a text of the storage, and omits anything else in it', () => {
    expect(
      viewsIn(JSON.stringify([view, null, 7, { name: 'x' }, { ...view, query: 1 }])),
    ).to.deep.equal([view])
    for (const text of [null, '', '{', '7', '{"name":"x"}']) expect(viewsIn(text)).to.deep.equal([])
  })

  it('sorts saved views by name and replaces a view of the same name, for any names', () => {
    const name = fc.string({ maxLength: 2 })
    fc.assert(
      fc.property(fc.array(name), (names) => {
        let views: readonly { name: string; query: string }[] = []
        for (const [index, one] of names.entries())
          views = withView(views, { name: one, query: `${index}` })
        expect(views.map((one) => one.name).toSorted()).to.deep.equal(
          [...new Set(names)].toSorted(),
        )
        for (const one of views) expect(one.query).to.equal(`${names.lastIndexOf(one.name)}`)
      }),
    )
    const views = [view, { name: 'b', query: '' }, { name: 'a', query: '' }]
    expect(views.reduce<(typeof view)[]>(withView, []).map((one) => one.name)).to.deep.equal([
      'a',
      'b',
      'Failed today',
    ])
  })
})
