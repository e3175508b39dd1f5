import { expect } from 'chai'
import { mayLeaveFolder } from './parent-folder.ts'

describe('a name that may leave its folder', () => {
  for (const name of [
    '../a',
    'a/../../b',
    'a/..',
    '.*/a',
    '.?/a',
    '.[.]/a',
    '.%*/a',
    '{..,a}/b',
    '{.,x}./a',
    '{.,x}{.,x}/a',
    'a{/..,b}/../c',
    '{a,/etc/passwd}',
    '%{..,a%}/b',
    '.[].]/a',
    '.[[:punct:]]/a',
    '.[!]a]/a',
    '.*[.]/a',
    '{.[].],x}/a',
    '{a,b}'.repeat(12),
    `{a,b}${'{x}'.repeat(1300)}`,
  ]) {
    it(`finds that ${name} may leave its folder`, () => expect(mayLeaveFolder(name)).to.equal(true))
  }

  for (const name of [
    'a.mp4',
    '.hidden/a',
    'frame_%03d.png',
    'frames/*.png',
    '{a,b}/*.{png,jpg}',
    '[ab]*.png',
    'a..b',
    '*.*',
    '?./a',
    'a{b',
    '[.]/a',
    '{s[]u]b,x}/a.png',
  ]) {
    it(`finds that ${name} stays in its folder`, () => expect(mayLeaveFolder(name)).to.equal(false))
  }
})
