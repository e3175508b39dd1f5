import { expect } from 'chai'
import fc from 'fast-check'
import { offsetsOf, placeholdersIn, segmentsOf } from './marks.ts'

describe('segmentsOf', () => {
  it('marks placeholders, and what is wrong, one over the other', () => {
    const text = '-i {{in_1}} -vf scal {{ in_2 }}'
    const marks = [
      { from: 16, to: 20, tone: 'warning' as const },
      { from: 21, to: 31, tone: 'bad' as const },
    ]
    expect(segmentsOf(text, marks)).to.deep.equal([
      { text: '-i ', isPlaceholder: false, tone: null },
      { text: '{{in_1}}', isPlaceholder: true, tone: null },
      { text: ' -vf ', isPlaceholder: false, tone: null },
      { text: 'scal', isPlaceholder: false, tone: 'warning' },
      { text: ' ', isPlaceholder: false, tone: null },
      { text: '{{ in_2 }}', isPlaceholder: true, tone: 'bad' },
    ])
  })

  it('returns segments that are the whole text again for any marks', () => {
    const mark = fc.record({
      from: fc.integer({ min: 0, max: 40 }),
      to: fc.integer({ min: 0, max: 40 }),
      tone: fc.constantFrom('bad' as const, 'warning' as const),
    })
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.array(mark, { maxLength: 4 }), (text, marks) => {
        const joined = segmentsOf(text, marks).map((one) => one.text)
        expect(joined.join('')).to.equal(text)
      }),
    )
  })
})

describe('placeholdersIn', () => {
  it('reads every spelling of the service', () => {
    const found = placeholdersIn(String.raw`{{in_1}} \{\{out_1\}\} <<in_2>> {{ a }} <<b>>`)
    expect(found.map(({ alias }) => alias)).to.deep.equal(['in_1', 'out_1', 'in_2', 'a'])
  })
})

describe('offsetsOf', () => {
  it('counts a character outside of the basic plane as two units', () => {
    expect(offsetsOf('😀 ab', { from: 2, to: 4 })).to.deep.equal({ from: 3, to: 5 })
  })
})
