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

  it('the path of an input never needs quotes, for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(inputPath('in_1', name)).to.match(/^[A-Za-z0-9._/-]+$/)
      }),
    )
  })
})

describe('sourceFileName', () => {
  const cases: [string, string][] = [
    ['https://h/a/sample.avi?x=1.png#f.gif', 'sample.avi'],
    ['https://h/my%20clip.mov', 'my clip.mov'],
    ['https://h/a%252Fb.mp4', 'a%2Fb.mp4'],
    ['https://h/download', 'download'],
    ['https://h/.hidden', '.hidden'],
    ['https://h/a/', ''],
    ['https://h', ''],
    ['https://h/a%2Fb.mp4', 'b.mp4'],
    ['https://h/a%5Cb.mp4', 'b.mp4'],
    ['https://h/%2e%2e%2fetc%2fpasswd', 'passwd'],
    ['https://h/%2e%2e%2f%2e%2e', ''],
    ['https://h/x%00.mp4', 'x.mp4'],
    ['https://h/%ff.mp4', 'ÿ.mp4'],
    ['https://h/%F0%9F%98%80.mp4', '😀.mp4'],
    ['nonsense', ''],
  ]
  for (const [url, expected] of cases) {
    it(`the file name is ${JSON.stringify(expected)} for ${url.slice(0, 60)}`, () => {
      expect(sourceFileName(url)).to.equal(expected)
    })
  }
})
