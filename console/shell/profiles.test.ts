import { expect } from 'chai'
import fc from 'fast-check'
import { colours, merged, nextColour, profilesIn, reactionTo } from './profiles.ts'
import type { Profile } from './profiles.ts'

const profile = (key: string): Profile => ({
  id: `id of ${key}`,
  name: key,
  colour: '#000',
  key,
  keep: false,
})
const own = [profile('cff_a')]
const answer = { kind: 'answered', profiles: own, active: 'id of cff_a' }

describe('profiles', () => {
  it('reads profiles from the text of the storage, and omits anything else in it', () => {
    expect(profilesIn(JSON.stringify([...own, { id: '2' }, null, 'x']))).to.deep.equal(own)
    for (const text of [null, '', '{', '7', 'null', '{"a":1}'])
      expect(profilesIn(text)).to.deep.equal([])
  })

  it('nextColour returns the colours in turn, and the first after the last', () => {
    const many = Array.from({ length: colours.length + 1 }, (_, index) => profile(`cff_${index}`))
    expect(many.map((_, count) => nextColour(many.slice(0, count)))).to.deep.equal([
      ...colours,
      colours[0],
    ])
  })

  it('merges profiles without a second one of a key, those of the tab first, for any profiles', () => {
    const some = fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
      .map((keys) => keys.map(profile))
    fc.assert(
      fc.property(some, some, (here, stored) => {
        const all = merged(here, stored)
        expect(all.slice(0, here.length)).to.deep.equal(here)
        const keys = all.map(({ key }) => key)
        expect(new Set(keys).size).to.equal(keys.length)
        expect(new Set(keys)).to.deep.equal(new Set([...here, ...stored].map(({ key }) => key)))
      }),
    )
  })
})

describe('messages between tabs', () => {
  it('reactionTo answers a request for keys when the tab has some', () => {
    expect(reactionTo({ kind: 'asked' }, own, false)).to.deep.equal({ kind: 'answer' })
    expect(reactionTo({ kind: 'asked' }, [], false)).to.equal(null)
  })

  it('reactionTo takes keys, with the chosen one, when the tab has none', () => {
    expect(reactionTo(answer, [], false)).to.deep.equal({
      kind: 'take',
      profiles: own,
      active: 'id of cff_a',
    })
    expect(reactionTo(answer, [profile('cff_b')], false)).to.equal(null)
  })

  it('reactionTo forgets all keys when another tab signs out', () => {
    for (const isMemoryOnly of [true, false]) {
      expect(reactionTo({ kind: 'signed-out' }, own, isMemoryOnly)).to.deep.equal({
        kind: 'forget',
      })
    }
  })

  it('reactionTo neither gives nor takes a key when a stored file could be a page of the origin', () => {
    const kind = fc.constantFrom<unknown>('asked', 'answered', 'x', null)
    const message = fc.record({ kind, profiles: fc.constantFrom(own, []), active: fc.string() })
    fc.assert(
      fc.property(fc.oneof(message, fc.anything()), fc.constantFrom(own, []), (data, held) => {
        fc.pre((data as { kind?: unknown } | null)?.kind !== 'signed-out')
        expect(reactionTo(data, held, true)).to.equal(null)
      }),
    )
  })

  it('reactionTo takes only profiles, for any message', () => {
    const profiles = fc.array(fc.oneof(fc.constantFrom(...own), fc.anything()))
    fc.assert(
      fc.property(profiles, fc.anything(), (some, active) => {
        const reaction = reactionTo({ kind: 'answered', profiles: some, active }, [], false)
        if (reaction?.kind !== 'take') throw new Error('the keys were not taken')
        expect(profilesIn(JSON.stringify(reaction.profiles))).to.have.length(
          reaction.profiles.length,
        )
        expect(reaction.active === null || typeof reaction.active === 'string').to.equal(true)
      }),
    )
  })
})
