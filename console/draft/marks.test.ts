import { expect } from 'chai'
import fc from 'fast-check'
import { aDraft } from './any-draft.fixture.ts'
import { declaredAliases } from './draft.ts'
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

  it('shows an alias that is not declared as plain text when the aliases are known', () => {
    const shown = segmentsOf('{{in_1}} {{in_9}}', [], ['in_1']).filter((one) => one.isPlaceholder)
    expect(shown.map(({ text }) => text)).to.deep.equal(['{{in_1}}'])
  })

  it('declaredAliases returns null when an archive or a folder leaves the names open', () => {
    const draft = aDraft({ zip: null, outputs: [{ alias: 'out_1', name: 'a.mp4' }] })
    expect(declaredAliases(draft)).to.include('out_1')
    expect(declaredAliases({ ...draft, outputs: null })).to.equal(null)
    expect(declaredAliases({ ...draft, zip: 'https://a.example/a.zip' })).to.equal(null)
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

  it('shows a mistake over a warning where both cover the same text', () => {
    const segments = segmentsOf('abcdef', [
      { from: 0, to: 4, tone: 'warning' },
      { from: 2, to: 6, tone: 'bad' },
    ])
    expect(segments.map(({ text, tone }) => [text, tone])).to.deep.equal([
      ['ab', 'warning'],
      ['cd', 'bad'],
      ['ef', 'bad'],
    ])
  })
})

describe('placeholdersIn', () => {
  it('reads every spelling of the service', () => {
    const found = placeholdersIn(String.raw`{{in_1}} \{\{out_1\}\} <<in_2>> {{ a }} <<b>>`)
    expect(found.map(({ alias }) => alias)).to.deep.equal(['in_1', 'out_1', 'in_2', 'a'])
  })

  it('returns placeholders that do not overlap and are in the text, for any text', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '<<',
      '>>',
      String.raw`\{`,
      String.raw`\}`,
      'in_1',
      ' ',
      '😀',
      '\\',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        let end = 0
        for (const { alias, from, to } of placeholdersIn(text)) {
          expect(from).to.be.at.least(end)
          expect(text.slice(from, to)).to.contain(alias)
          end = to
        }
        expect(end).to.be.at.most(text.length)
      }),
    )
  })
})

describe('offsetsOf', () => {
  it('counts a character outside of the basic plane as two units', () => {
    expect(offsetsOf('😀 ab', { from: 2, to: 4 })).to.deep.equal({ from: 3, to: 5 })
  })

  it('returns UTF-16 offsets of the same characters, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.nat(20),
        fc.nat(20),
        (text, a, b) => {
          const characters = Array.from(text)
          const [from, to] = [Math.min(a, b), Math.max(a, b)]
          const found = offsetsOf(text, { from, to })
          expect(text.slice(found.from, found.to)).to.equal(characters.slice(from, to).join(''))
        },
      ),
    )
  })
})
