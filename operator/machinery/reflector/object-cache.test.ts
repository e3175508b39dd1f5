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

  it('stores an object only when its version is newer', () => {
    expect(cache.put(thing('a', '9'))?.type).to.equal('added')
    expect(cache.put(thing('a', '9'))).to.equal(null)
    expect(cache.put(thing('a', '8'))).to.equal(null)
    expect(cache.put(thing('a', '10'))?.type).to.equal('modified')
  })

  it('returns the last state when an object is deleted, and nothing when a newer one is stored', () => {
    cache.put(thing('a', '5'))
    expect(cache.remove(thing('a', '4', 'blue'))).to.equal(null)
    expect(cache.remove(thing('a', '6', 'blue'))).to.deep.equal({
      type: 'deleted',
      object: thing('a', '6', 'blue'),
      previous: null,
    })
    expect(cache.byIndex('colour', 'red')).to.deep.equal([])
  })

  it('ignores an older version when the object was deleted, stored before or not', () => {
    cache.put(thing('a', '5'))
    cache.remove(thing('a', '7'))
    cache.remove(thing('unseen', '7'))
    expect(cache.put(thing('a', '6'))).to.equal(null)
    expect(cache.put(thing('unseen', '6'))).to.equal(null)
    expect(cache.put(thing('a', '8'))?.type).to.equal('added')
  })

  it('returns the differences, deletions first, when a list replaces the objects', () => {
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

  it('keeps newer objects and later deletions when an older list replaces the objects', () => {
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

  it('stores a list as it is when it has no version to compare with', () => {
    cache.put(thing('a', '9'))
    cache.put(thing('later', '9'))
    cache.remove(thing('b', '9'))
    cache.replace([thing('a', '5'), thing('b', '4')], null)
    expect(cache.get('a')?.metadata.resourceVersion).to.equal('5')
    expect(cache.list().map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b'])
    expect(cache.put(thing('b', '5'))?.type).to.equal('modified')
  })

  it('returns objects by the present values of their index keys', () => {
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
