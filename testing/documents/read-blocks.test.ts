import { expect } from 'chai'
import { fileOf, readBlocks } from './read-blocks.ts'
import { isShown } from './shown-output.ts'

describe('readBlocks', () => {
  it('returns the blocks of a document with language, text and the reason not to run them', () => {
    const markdown = [
      '# Title',
      '',
      '```sh',
      'one',
      '',
      'two',
      '```',
      '',
      '```sh no-run: needs a bucket of yours',
      'three',
      '```',
      '```',
      'plain',
      '```',
    ].join('\n')
    expect(readBlocks(markdown)).to.deep.equal([
      { line: 4, language: 'sh', notRun: null, text: 'one\n\ntwo' },
      { line: 10, language: 'sh', notRun: 'needs a bucket of yours', text: 'three' },
      { line: 13, language: '', notRun: null, text: 'plain' },
    ])
  })

  it('throws where a block is not closed or its reason is missing', () => {
    expect(() => readBlocks('```sh\nls')).to.throw('the block at line 2 is not closed')
    expect(() => readBlocks('```sh no-run\nls\n```')).to.throw("'sh no-run: REASON'")
  })
})

describe('fileOf', () => {
  const block = { line: 1, notRun: null }
  it('returns the name in the first line, and one for TypeScript without a name', () => {
    expect(fileOf({ ...block, language: 'js', text: '// a-b.mjs\nlet a' })).to.equal('a-b.mjs')
    expect(fileOf({ ...block, language: 'py', text: '# a.py\na = 1' })).to.equal('a.py')
    expect(fileOf({ ...block, language: 'ts', text: 'let a' })).to.equal('sample.ts')
    expect(fileOf({ ...block, language: 'sh', text: '# a comment\nls' })).to.equal(null)
  })
})

describe('isShown', () => {
  const cases: [string, string, string, boolean][] = [
    ['text', 'SUCCESS', 'SUCCESS\n', true],
    ['text', 'SUCCESS', 'FAILED\n', false],
    ['text', 'http…/a.mp4', 'http://10.0.0.1/x/a.mp4', true],
    ['text', 'a.c', 'abc', false],
    ['json', '{ "command_id": "01a2…" }', '{"command_id":"01a2b3"}', true],
    ['json', '{ "command_id": "01a2…" }', '{"detail":"no"}', false],
    ['json', '{ "a": [1, null] }', '{"a":[1,null]}', true],
    ['json', '{ "a": [1] }', '{"a":[1,2]}', false],
    ['json', '{ "a": 1 }', '{"a":1,"b":2}', false],
    ['json', '{ "a": 1 }', 'curl: (7) no connection', false],
  ]
  for (const [language, shown, printed, expected] of cases) {
    it(`isShown is ${expected} for ${printed.trim()} where ${shown} is shown`, () => {
      expect(isShown(language, shown, printed)).to.equal(expected)
    })
  }
})
