import { expect } from 'chai'
import { longSentences } from './long-sentences.ts'

describe('longSentences', () => {
  it('returns sentences with too many words, across lines', () => {
    const text = '# A long heading of five words\n\nOne two\nthree four. One two three.\n'
    expect(longSentences(text, 3)).to.deep.equal(['One two\nthree four.'])
    expect(longSentences(text, 4)).to.deep.equal([])
  })

  it('counts neither blocks, tables, targets of links nor the items of a list together', () => {
    const text = [
      '```sh',
      'one two three four five',
      '```',
      '| one two three four |',
      '',
      '- one two',
      '- [three](a b c d e)',
      '1. four five',
      '<!-- one two three four -->',
    ].join('\n')
    expect(longSentences(text, 2)).to.deep.equal([])
  })
})
