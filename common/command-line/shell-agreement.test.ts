import { spawnSync } from 'node:child_process'
import { expect } from 'chai'
import fc from 'fast-check'
import { split } from 'shlex'
import { plainReading } from './read/reading.ts'
import { splitCommand } from './read/tokens.ts'

/**
 * shlex splits as a POSIX shell does. What is better here than there is a pair of spellings: the one
 * that people send, and the one that shlex needs for the same words. All else has to agree.
 */
type Better = { name: string; here: string; there: string }

const placeholders: readonly Better[] = [
  { name: 'a placeholder with blanks is one word', here: '{{ in_1 }}', there: '{{in_1}}' },
  {
    name: 'a placeholder keeps no backslashes',
    here: String.raw`\{\{in_1\}\}`,
    there: '{{in_1}}',
  },
  { name: 'a placeholder may have angle brackets', here: '<< in_1 >>', there: '{{in_1}}' },
]
/** Python's shlex does not support the first; the other one does. */
const continuation: Better = { name: 'a line goes on after a backslash', here: '\\\n', there: '' }
const windowsContinuation: Better = {
  name: 'a line goes on after a backslash, line ends of Windows included',
  here: '\\\r\n',
  there: '',
}
/** A position where a token could begin. */
const blankContinuation: Better = {
  name: 'blanks between the backslash and the line end do not matter',
  here: ' \\ \t\n',
  there: ' ',
}
/** The rest after line ends were removed; a shell makes of it a token that begins with a blank. */
const joinedLines: Better = {
  name: 'a backslash in front of an option does not matter',
  here: ' \\ -',
  there: ' -',
}
const lineEnds = [continuation, windowsContinuation]
const escapes: readonly Better[] = [
  { name: 'double quotes know an escaped dollar', here: '\\$', there: '$' },
  { name: 'double quotes know an escaped backquote', here: '\\`', there: '`' },
]

describe('splitting and shlex', () => {
  it('splitting and shlex agree on every text without the documented differences', () => {
    // this shlex also knows the quotes of bash that begin with a dollar, which no shell standard has
    const texts = fc.sample(rawText, { numRuns: 5_000, seed: 7 }).filter((t) => !/\$['"]/.test(t))
    expect(texts.map(ourWords)).to.deep.equal(texts.map(wordsOfShlex))
  })

  it('splitting and shlex agree on the documented differences, written as shlex needs it', () => {
    fc.assert(
      fc.property(composedText, ({ here, there }) => {
        expect(ourWords(here), here).to.deep.equal(wordsOfShlex(there))
      }),
      { numRuns: 3_000 },
    )
  })

  for (const { name, here, there } of [...placeholders, windowsContinuation, ...escapes]) {
    it(`splitting and shlex differ in this: ${name}`, () => {
      const quoted = (text: string): string => `"a${text}b" c`
      expect(ourWords(quoted(here))).to.deep.equal(wordsOfShlex(quoted(there)))
      expect(wordsOfShlex(quoted(here))).to.not.deep.equal(wordsOfShlex(quoted(there)))
    })
  }

  for (const { name, here, there } of [blankContinuation, joinedLines]) {
    it(`splitting and shlex differ in this: ${name}`, () => {
      const between = (text: string): string => `a${text}b`
      expect(ourWords(between(here))).to.deep.equal(wordsOfShlex(between(there)))
      expect(wordsOfShlex(between(here))).to.not.deep.equal(wordsOfShlex(between(there)))
    })
  }

  it("splitting is compared with Python's shlex, in one process of Python's own", function () {
    const pairs = fc.sample(composedText, { numRuns: 3_000, seed: 7 })
    const texts = fc.sample(rawText, { numRuns: 5_000, seed: 8 })
    const answers = wordsOfPython([...texts, ...pairs.map(({ there }) => there)])
    if (answers === null) return this.skip()
    expect([...texts, ...pairs.map(({ here }) => here)].map(ourWords)).to.deep.equal(answers)
  })
})

const characters = 'ab \t\n\r\'"\\;|&<>(){}[]=:,#*?~!%é😀“'

/** Quotes need not be closed. A backslash stands before characters that both treat alike. */
const rawText = fc
  .string({ unit: charactersOf(`${characters}$`), maxLength: 24 })
  .map((text) => text.replace(/\\+(?=[ \t]*[\r\n]|[ \t]+$|[$`])/g, '').replace(/\{\{|<</g, '{'))

const plain = ordinary(' \tab=:,;|é😀')
const single = fc
  .array(fc.oneof(ordinary(' \tab"$#\n'), fc.constantFrom(...placeholders)))
  .map((parts) => joined(`'`, parts))
const double = fc
  .array(fc.oneof(ordinary(" \tab'#\n"), fc.constantFrom(...placeholders, ...lineEnds, ...escapes)))
  .map((parts) => joined('"', parts))
const composedText = fc
  .array(
    fc.oneof(
      plain,
      single,
      double,
      fc.constantFrom(...placeholders, ...lineEnds, blankContinuation),
    ),
  )
  .map((parts) => joined('', parts))

type Spellings = Pick<Better, 'here' | 'there'>

function ordinary(text: string): fc.Arbitrary<Spellings> {
  return charactersOf(text).map((character) => ({ here: character, there: character }))
}

function joined(quote: string, parts: readonly Spellings[]): Spellings {
  const all = (which: 'here' | 'there'): string => parts.map((part) => part[which]).join('')
  return { here: `${quote}${all('here')}${quote}`, there: `${quote}${all('there')}${quote}` }
}

function charactersOf(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(text))
}

function ourWords(source: string): string[] | null {
  const splitting = splitCommand(source)
  return splitting.ok ? splitting.tokens.map((token) => plainReading(token).text) : null
}

function wordsOfShlex(source: string): string[] | null {
  try {
    return split(source)
  } catch {
    // the one reason it has: a quote that is never closed, or a backslash at the very end
    return null
  }
}

function wordsOfPython(sources: readonly string[]): unknown {
  const script = `import json, shlex, sys
def words(text):
    try:
        return shlex.split(text)
    except ValueError:
        return None
for line in sys.stdin:
    print(json.dumps(words(json.loads(line))))`
  const input = sources.map((source) => JSON.stringify(source)).join('\n')
  const python = spawnSync('python3', ['-c', script], { input, maxBuffer: 64 * 1024 * 1024 })
  if (python.status !== 0) return null
  return python.stdout
    .toString()
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}
