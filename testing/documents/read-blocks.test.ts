import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { documents, readBlocks } from './read-blocks.ts'
import { isShown } from './shown-output.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('readBlocks', () => {
  it('returns the blocks of a document with language, text and the reason not to run them', () => {
    const markdown = [
      ...['# Title', '', '```sh', 'one', '', 'two', '```', ''],
      ...['```sh no-run: needs a bucket of yours', 'three', '```', '```', 'plain', '```'],
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
    it(`is ${expected} for ${printed.trim()} where ${shown} is shown`, () => {
      expect(isShown(language, shown, printed)).to.equal(expected)
    })
  }
})

describe('the documents', () => {
  for (const name of documents) {
    it(`${name} names the language of each block and links only to what exists`, async () => {
      const text = await readFile(path.join(root, name), 'utf8')
      for (const { line, language } of readBlocks(text)) {
        expect(language, `line ${line}`).to.match(/^(?:sh|ts|json|text)$/)
      }
      const prose = text.replaceAll(/^```.*?^```$/gms, '')
      for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue
        const [file = '', anchor] = target.split('#')
        const found = await readFile(path.resolve(root, path.dirname(name), file), 'utf8')
        if (anchor === undefined) continue
        const anchors = [...found.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slug(heading))
        expect(anchors, target).to.include(anchor)
      }
    })
  }

  it('keep README within 120 lines', async () => {
    const text = await readFile(path.join(root, 'README.md'), 'utf8')
    expect(text.trimEnd().split('\n').length).to.be.at.most(120)
  })
})

/** As GitHub makes anchors of headings. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
