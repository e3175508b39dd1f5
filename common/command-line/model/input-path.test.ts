import { expect } from 'chai'
import fc from 'fast-check'
import { inputPath } from './input-path.ts'
import { sourceFileName } from './source-file-name.ts'

describe('inputPath', () => {
  const cases: [string | null, string][] = [
    ['sample.avi', '../in/in_1.avi'],
    ['CLIP.MP4', '../in/in_1.mp4'],
    ['a.tar.gz', '../in/in_1.gz'],
    ['noextension', '../in/in_1'],
    ['a.toolongext', '../in/in_1'],
    ['a.m p4', '../in/in_1'],
    ['a.', '../in/in_1'],
    [null, '../in/in_1'],
  ]
  for (const [name, path] of cases) {
    it(`returns ${path} for an input named ${name}`, () => {
      expect(inputPath('in_1', name)).to.equal(path)
    })
  }

  it('never needs quotes, for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(inputPath('in_1', name)).to.match(/^[A-Za-z0-9._/-]+$/)
      }),
    )
  })
})

describe('sourceFileName', () => {
  const cases: [string, object][] = [
    ['https://h/a/sample.avi?x=1.png#f.gif', { kind: 'named', name: 'sample.avi' }],
    ['https://h/my%20clip.mov', { kind: 'named', name: 'my clip.mov' }],
    ['https://h/a%252Fb.mp4', { kind: 'named', name: 'a%2Fb.mp4' }],
    ['https://h/download', { kind: 'unnamed', lastSegment: 'download' }],
    ['https://h/.hidden', { kind: 'unnamed', lastSegment: '.hidden' }],
    ['https://h/a/', { kind: 'unnamed', lastSegment: '' }],
    ['https://h', { kind: 'unnamed', lastSegment: '' }],
    ['https://h/a%2Fb.mp4', { kind: 'invalid', reason: 'it contains a slash or backslash' }],
    [
      'https://h/%2e%2e%2fetc%2fpasswd',
      { kind: 'invalid', reason: 'it contains a slash or backslash' },
    ],
    ['https://h/x%00.mp4', { kind: 'invalid', reason: 'it contains control characters' }],
    ['https://h/%ff.mp4', { kind: 'invalid', reason: 'its percent-encoding is broken' }],
    [
      `https://h/${'a'.repeat(252)}.mp4`,
      { kind: 'invalid', reason: 'it is longer than 255 bytes' },
    ],
    ['nonsense', { kind: 'invalid', reason: 'it is not a valid URL' }],
  ]
  for (const [url, expected] of cases) {
    it(`is ${JSON.stringify(expected)} for ${url.slice(0, 60)}`, () => {
      expect(sourceFileName(url)).to.deep.equal(expected)
    })
  }
})
