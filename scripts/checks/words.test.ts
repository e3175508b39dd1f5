import { expect } from 'chai'
import { countWords, wordMistakes } from './words.ts'

describe('countWords', () => {
  it('counts whole words in any case by top folder, and documents together', () => {
    const texts = [
      { file: 'operator/a.ts', text: '// Nobody asks. The roadmap is notable.' },
      { file: 'operator/loops/b.ts', text: "it('is no URL')" },
      { file: 'cli/c.ts', text: '// The caller requests it.' },
      { file: 'docs/api.md', text: 'Whoever sends it' },
      { file: 'charts/README.md', text: 'for ever' },
    ]
    expect(countWords(texts)).to.deep.equal({ operator: 3, documents: 2 })
  })

  it('passes over the page that names the words', () => {
    expect(countWords([{ file: 'docs/style.md', text: 'Not nobody.' }])).to.deep.equal({})
  })
})

describe('wordMistakes', () => {
  it('returns folders above their record', () => {
    expect(wordMistakes({ operator: 3, documents: 1 }, { operator: 2 })).to.deep.equal([
      'operator has 3 words that docs/style.md excludes, at most 2 are allowed: write them in plain English',
      'documents has 1 words that docs/style.md excludes, at most 0 are allowed: write them in plain English',
    ])
  })

  it('returns a record that is too high, so that the count only falls', () => {
    expect(wordMistakes({ operator: 1 }, { operator: 2, cli: 4 })).to.deep.equal([
      'operator has 1 excluded words now: write 1 in place of 2 into scripts/checks/word-counts.json',
      'cli has 0 excluded words now: write 0 in place of 4 into scripts/checks/word-counts.json',
    ])
    expect(wordMistakes({ operator: 2 }, { operator: 2 })).to.deep.equal([])
  })
})
