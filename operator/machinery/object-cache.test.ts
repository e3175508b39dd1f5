import { expect } from 'chai'
import { createObjectCache } from './object-cache.ts'
import type { ObjectCache } from './object-cache.ts'

interface Thing {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly resourceVersion: string
  }
  readonly colour: string
}

describe('object cache', () => {
  let cache: ObjectCache<Thing>

  beforeEach(() => {
    cache = createObjectCache<Thing>({ colour: ({ colour }) => [colour] })
  })

  it('takes newer versions only', () => {
    expect(cache.put(thing('a', '9'))?.type).to.equal('added')
    expect(cache.put(thing('a', '9'))).to.equal(null)
    expect(cache.put(thing('a', '8'))).to.equal(null)
    expect(cache.put(thing('a', '10'))?.type).to.equal('modified')
  })

  it('takes a deletion with the last state, unless something newer has the name', () => {
    cache.put(thing('a', '5'))
    expect(cache.remove(thing('a', '4', 'blue'))).to.equal(null)
    expect(cache.remove(thing('a', '6', 'blue'))).to.deep.equal({
      type: 'deleted',
      object: thing('a', '6', 'blue'),
      previous: null,
    })
    expect(cache.byIndex('colour', 'red')).to.deep.equal([])
  })

  it('does not bring back what it knows to be deleted, seen before or not', () => {
    cache.put(thing('a', '5'))
    cache.remove(thing('a', '7'))
    cache.remove(thing('unseen', '7'))
    expect(cache.put(thing('a', '6'))).to.equal(null)
    expect(cache.put(thing('unseen', '6'))).to.equal(null)
    expect(cache.put(thing('a', '8'))?.type).to.equal('added')
  })

  it('becomes equal to a list and reports the difference, deletions first', () => {
    cache.put(thing('gone', '1'))
    cache.put(thing('same', '2'))
    cache.put(thing('changed', '3'))
    const wanted = [thing('same', '2'), thing('changed', '5'), thing('new', '4')]
    const changes = cache
      .replace(wanted, '6')
      .map(({ type, object }) => [type, object.metadata.name])
    expect(changes).to.deep.equal([
      ['deleted', 'gone'],
      ['modified', 'changed'],
      ['added', 'new'],
    ])
    expect(cache.list()).to.have.length(3)
  })

  it('keeps what is newer than the list, and what was deleted after it', () => {
    cache.put(thing('a', '9'))
    cache.put(thing('later', '9'))
    cache.put(thing('b', '3'))
    cache.remove(thing('b', '3'))
    cache.put(thing('c', '3'))
    cache.remove(thing('c', '8'))
    const wanted = [thing('a', '5'), thing('b', '3'), thing('c', '4')]
    expect(cache.replace(wanted, '6')).to.deep.equal([])
    expect(cache.list().map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'later'])
  })

  it('takes a list of an older history as it is', () => {
    cache.put(thing('a', '9'))
    cache.put(thing('later', '9'))
    cache.remove(thing('b', '9'))
    cache.replace([thing('a', '5'), thing('b', '4')], null)
    expect(cache.get('a')?.metadata.resourceVersion).to.equal('5')
    expect(cache.list().map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b'])
    expect(cache.put(thing('b', '5'))?.type).to.equal('modified')
  })

  it('finds objects by computed keys, as they are now', () => {
    cache.put(thing('a', '1', 'red'))
    cache.put(thing('b', '2', 'red'))
    cache.put(thing('a', '3', 'blue'))
    expect(cache.byIndex('colour', 'red')).to.deep.equal([thing('b', '2', 'red')])
    expect(cache.byIndex('colour', 'blue')).to.deep.equal([thing('a', '3', 'blue')])
    expect(cache.byIndex('colour', 'green')).to.deep.equal([])
  })

  function thing(name: string, resourceVersion: string, colour = 'red'): Thing {
    return { metadata: { name, uid: `uid-${name}`, resourceVersion }, colour }
  }
})
