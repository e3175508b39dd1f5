import { expect } from 'chai'
import fc from 'fast-check'
import { commandText } from './command-text.ts'
import { plainReading, filterReading } from '../../common/command-line/read/reading.ts'
import { placeholderAt, placeholderText } from '../../common/command-line/model/placeholders.ts'
import { splitCommand } from '../../common/command-line/read/tokens.ts'

/** What FFmpeg gets of a command string: `filter` is how the service reads a filter graph. */
function argvOf(text: string): { plain: string[]; filter: string[] } {
  const split = splitCommand(text)
  if (!split.ok) throw new Error(split.refusal.sentence('here'))
  return {
    plain: split.tokens.map((token) => plainReading(token).text),
    filter: split.tokens.map(
      (token) => (token.beginsQuoted ? plainReading : filterReading)(token).text,
    ),
  }
}

/** The service writes every spelling of a placeholder in one way. */
function withPlainPlaceholders(argument: string): string {
  let text = ''
  for (let offset = 0; offset < argument.length;) {
    const found = placeholderAt(argument, offset)
    text += found === null ? argument.charAt(offset) : placeholderText(found.alias)
    offset = found?.end ?? offset + 1
  }
  return text
}

const pieces = fc.constantFrom(
  "'",
  '"',
  '\\',
  ' ',
  '\t',
  '\n',
  '{{in_1}}',
  '{{ out_1 }}',
  '\\{\\{in_2\\}\\}',
  '<<in_1>>',
  '{',
  '}',
  '$',
  '`',
  '|',
  ';',
  '&',
  '>',
  '2>',
  '#',
  '*',
  '~',
  '[0:v]',
  'a',
  'é',
  '😀',
  '=',
  ',',
  '-vf',
  '“',
  '%03d',
)
const argument = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  fc
    .string({ unit: 'grapheme' })
    .filter((text) => splitCommand(`'${text.replaceAll("'", '')}'`).ok),
)

describe('commandText', () => {
  it('gives FFmpeg exactly the arguments, in filter graphs too', () => {
    fc.assert(
      fc.property(fc.array(argument, { minLength: 2, maxLength: 6 }), (args) => {
        const expected = args.map(withPlainPlaceholders)
        expect(argvOf(commandText(args))).to.deep.equal({ plain: expected, filter: expected })
      }),
      { numRuns: 2_000 },
    )
  })

  it('leaves plain words and placeholders as they are', () => {
    const args = ['-i', '{{in_1}}', '-vf', 'scale=-2:320', '-c:a', 'aac', '{{out_1}}']
    expect(commandText(args)).to.equal('-i {{in_1}} -vf scale=-2:320 -c:a aac {{out_1}}')
    expect(commandText(['-vf', "drawtext=text='it''s'", ''])).to.equal(
      `-vf 'drawtext=text='\\''it'\\'''\\''s'\\''' ''`,
    )
  })

  it('takes one argument with blanks for a whole command', () => {
    expect(commandText(['-i {{in_1}} "a b" {{out_1}}'])).to.equal('-i {{in_1}} "a b" {{out_1}}')
    expect(commandText(['{{out_1}}'])).to.equal('{{out_1}}')
  })
})
