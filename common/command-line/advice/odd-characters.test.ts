import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { oddCharacters } from './odd-characters.ts'

const found = (option: string): string[] =>
  oddCharacters(stepOf(`-i {{in_1}} ${option} {{out_1}}`)).map(
    ({ where, found: character, kind }) => `${kind} ${character} in ${where}`,
  )

describe('characters that were probably not meant', () => {
  for (const [option, expected] of [
    ['-metadata title=Tom&amp;Jerry', 'entity &amp; in -metadata'],
    ['-metadata "title=It&#39;s"', 'entity &#39; in -metadata'],
    ['-vf "drawtext=text=a &lt; b"', 'entity &lt; in -vf'],
    ['-c:v libx264\u200b', 'inkless U+200B in -c:v'],
    ['-t 5\u00ad', 'inkless U+00AD in -t'],
    ['-vf scale=64:\u2028-2', 'inkless U+2028 in the value of scale'],
    ['-vf scale=w=64:h=-2\ufeff', "inkless U+FEFF in 'h' of scale"],
    ['-vf drawtext=text=“Hi”', "quote “ in 'text' of drawtext"],
    ["-vf drawtext=text='‘Hi there’'", "quote ‘ in 'text' of drawtext"],
  ] as const) {
    it(`odd characters are named in ${JSON.stringify(option)}`, () => {
      expect(found(option)).to.deep.equal([expected])
    })
  }

  for (const option of [
    '-metadata title=a\u200db',
    '-metadata "title=“Film”"',
    '-vf drawtext=text=It’s',
    '-vf drawtext=text=می\u200cخواهم',
    '-metadata title=A&B;C',
    '-c copy',
  ]) {
    it(`odd characters are not found in a text: ${JSON.stringify(option)}`, () => {
      expect(found(option)).to.deep.equal([])
    })
  }
})
