import { expect } from 'chai'
import fc from 'fast-check'
import { withoutPatterns } from './pattern-pieces.ts'

describe('a path without its patterns', () => {
  const paths: Record<string, string> = {
    'seg_%03d.ts': 'seg_x.ts',
    '%v://host': 'x://host',
    'md%d:name': 'mdx:name',
    'fil?:name': 'filx:name',
    '$Number%05d$:name': 'x:name',
    'fil[a-z]:name': 'filx:name',
    'fil[]x]:name': 'filx:name',
    'fil[![:alpha:]_]:name': 'filx:name',
    'fil[[:alpha:]:name': 'filx:name',
    'fil[e:name': 'filxe:name',
  }
  for (const [path, without] of Object.entries(paths)) {
    it(`returns ${without} for ${path} without its patterns`, () => {
      expect(withoutPatterns(path)).to.equal(without)
    })
  }

  it('a path without its patterns is what one regular expression would make of it, given time', () => {
    const slow =
      /\[[!^]?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]|%[-+ 0#^_]*\d*[A-Za-z%*?[\]{}]|\$\w*(?:%0?\d*d)?\$|[*?[\]{}!^]/g
    const path = fc.string({ unit: fc.constantFrom(...'[]:.=!^a%0d$5v*'.split('')), maxLength: 14 })
    fc.assert(
      fc.property(path, (text) => {
        expect(withoutPatterns(text)).to.equal(text.replace(slow, 'x'))
      }),
      { numRuns: 5000 },
    )
  })

  for (const unit of ['[:', '[', '[]', '[:]', '%0', '%', '$', '$a', '?']) {
    it(`removes patterns from 64 KB of ${unit} in linear time`, () => {
      const path = `a%${'0'.repeat(9)}${unit.repeat(65_536 / unit.length)}`
      expect(withoutPatterns(path)).not.to.equal('')
      expect(withoutPatterns(`%${path.replaceAll('%', '0')}]`)).not.to.equal('')
    })
  }
})
