import { expect } from 'chai'
import { countWords, findWords, wordMistakes } from './words.ts'

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

  it('counts a phrase that a line break of a comment, a paragraph or a text divides', () => {
    const texts = [
      {
        file: 'operator/a.ts',
        text: '/**\n * It waits for so\n * long.\n */\n  // At the\n  // begin.',
      },
      { file: 'common/a.sql', text: '-- It is\n-- no list.' },
      { file: 'charts/values.yaml', text: '  # They are\n  # no lists.' },
      { file: 'docs/api.md', text: 'It lasts for\never.' },
    ]
    expect(countWords(texts)).to.deep.equal({ operator: 2, common: 1, charts: 1, documents: 1 })
  })

  it('counts a comment or a description that begins with a word that leaves its subject out', () => {
    const texts = [
      {
        file: 'operator/a.ts',
        text: '/** Of a pod. */\n/**\n * Where it is.\n */\n// Also so. Of all.',
      },
      { file: 'common/a.sql', text: '-- So many.\n-- Soon.' },
      {
        file: 'charts/a.yaml',
        text: '# None for one.\ndescription: Of a pod.\n{{- /* Behind it. */}}',
      },
      { file: 'charts/a.json', text: '{ "description": "Of all." }' },
      { file: 'docs/api.md', text: '# Where files are' },
    ]
    expect(countWords(texts)).to.deep.equal({ charts: 4, operator: 3, common: 1 })
  })

  it('passes over the page that names the words', () => {
    expect(countWords([{ file: 'docs/style.md', text: 'Not nobody.' }])).to.deep.equal({})
  })
})

describe('findWords', () => {
  it('names file, line and words', () => {
    const text = 'const a = 1\n/**\n * It waits for so\n * long.\n */\n// Of a pod.\n'
    expect(findWords({ file: 'operator/a.ts', text })).to.deep.equal([
      'operator/a.ts:6: // Of',
      'operator/a.ts:3: for so long',
    ])
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
