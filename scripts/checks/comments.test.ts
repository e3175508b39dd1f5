import { expect } from 'chai'
import { commentMistakes } from './comments.ts'

const text = [
  '/** Of each status. */',
  'const url = "https://a/ As it is" // What is left.',
  '/**',
  ' * Its size.',
  ' */',
  '// A sentence that goes on.',
  '// In this line.',
  '/** Iteration. */',
].join('\n')

describe('commentMistakes', () => {
  it('names each comment that begins without its subject, with file and line', () => {
    expect(commentMistakes([{ file: 'console/a.tsx', text }], [])).to.deep.equal([
      'console/a.tsx:1: "Of" leaves out the subject',
      'console/a.tsx:2: "What" leaves out the subject',
      'console/a.tsx:3: "Its" leaves out the subject',
    ])
  })

  it('accepts a unit, a standard, an example and a default', () => {
    const good =
      '/** In bytes. */\n// As RFC 9110 says.\n\n// For example 3.\n\n/* By default 4. */'
    expect(commentMistakes([{ file: 'cli/a.ts', text: good }], [])).to.deep.equal([])
  })

  it('passes over documents and unfinished folders, but not folders whose names begin alike', () => {
    const texts = ['docs/api.md', 'operator/a.ts', 'operator-next/a.ts'].map((file) => ({
      file,
      text: '// It is.',
    }))
    expect(commentMistakes(texts, ['operator'])).to.deep.equal([
      'operator-next/a.ts:1: "It" leaves out the subject',
    ])
  })

  it('refuses an unfinished folder that is clean, so that the list only shrinks', () => {
    expect(commentMistakes([{ file: 'cli/a.ts', text: '// Plain.' }], ['cli'])).to.deep.equal([
      'cli has no such comment: remove it from unfinished-comments.json',
    ])
  })
})
