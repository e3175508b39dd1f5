import { expect } from 'chai'
import { textExcerpt } from './text-excerpt.ts'

describe('textExcerpt', () => {
  const bytes = (text: string) => Buffer.from(text)

  it('returns a short text as it is', () => {
    expect(textExcerpt(bytes('{"error": "no such order"}\n'))).to.equal(
      '{"error": "no such order"}\n',
    )
  })

  it('returns the first 1,024 bytes, and no half of a character', () => {
    expect(textExcerpt(bytes('x'.repeat(3_000)))).to.equal('x'.repeat(1_024))
    expect(textExcerpt(bytes(`${'x'.repeat(1_023)}\u00e9`))).to.equal('x'.repeat(1_023))
  })

  for (const [what, sent] of [
    ['nothing', Buffer.alloc(0)],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47])],
    ['text with a NUL', bytes('a\u0000b')],
    ['text with a control sequence of terminals', bytes('\u001b[31mred')],
  ] as const) {
    it(`returns null for ${what}`, () => {
      expect(textExcerpt(sent)).to.equal(null)
    })
  }
})
