import { expect } from 'chai'
import fc from 'fast-check'
import { jsonMistake } from './json-mistake.ts'

function mistakeIn(text: string, contentType = 'application/json'): string {
  try {
    JSON.parse(text)
  } catch (error) {
    return jsonMistake(text, error instanceof Error ? error.message : '', contentType)
  }
  throw new Error('the text is JSON')
}

describe('the mistake in a body that is not JSON', () => {
  const cases: [string, string, string][] = [
    [
      'a trailing comma',
      '{"a": 1,\n}',
      'a comma stands before a closing bracket, line 2, column 1',
    ],
    ['a line break in a string', '{"a": "-i x\n-y"}', 'a string contains a line break'],
    ['a tab in a string', '{"a": "-i\tx"}', 'a string contains a tab'],
    ['single quotes', "{'a': 1}", 'it has single quotes; JSON has double quotes, line 1, column 2'],
    ['typographic quotes', '{“a”: 1}', 'it has typographic quotes'],
    ['a single backslash', String.raw`{"a": "C:\videos"}`, 'a string contains a single backslash'],
    ['a comment', '{"a": 1, // one\n"b": 2}', 'it has a comment'],
    ['an unfilled template', '{"a": {{ $json.a }}}', 'a template {{…}}'],
    ['a Python word', '{"a": True}', "it has Python's words"],
    ['NaN', '{"a": NaN}', 'it has NaN, Infinity or undefined, which JSON does not have'],
    ['a missing end', '{"a": "b"', 'it ends before its last bracket or quote is closed'],
    ['a second value', '{"a": 1}{"b": 2}', 'something follows the end of the JSON value'],
    ['a bare name', '{a: 1}', 'a name stands without double quotes'],
    ['a missing comma', '{"a": 1 "b": 2}', 'a comma or colon is missing'],
    ['a form', 'ffmpeg_command=-i+x', 'it is form data (name=value)'],
  ]
  for (const [name, text, expected] of cases) {
    it(`names ${name} as the mistake in a body that is not JSON`, () => {
      expect(mistakeIn(text)).to.include(expected)
    })
  }

  it('names a multipart form by its content type and by its first line', () => {
    const body = '--x1\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n--x1--'
    expect(mistakeIn(body, '')).to.include('it is a multipart form')
    expect(mistakeIn('--x1', 'multipart/form-data; boundary=x1')).to.include('multipart form')
  })

  it('quotes the place without the query string of a signed URL', () => {
    const text = mistakeIn('{"a": "https://s.example/f?X-Sig=secret" "b": 1}')
    expect(text).to.include('line 1, column 42, near').and.not.to.include('secret')
  })

  it('returns a short sentence for any text that is not JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        try {
          JSON.parse(text)
        } catch (error) {
          const parserError = error instanceof Error ? error.message : ''
          expect(jsonMistake(text, parserError, '').length).to.be.within(10, 600)
        }
      }),
    )
  })
})
