import { expect } from 'chai'
import fc from 'fast-check'
import { filterReading, originOf, plainReading } from './reading.ts'
import { splitCommand, type Token } from './tokens.ts'

const raw = String.raw

describe('splitCommand', () => {
  const table: [string, string[]][] = [
    [raw`-vf ""`, ['-vf', '']],
    [raw`title='A B'`, ['title=A B']],
    [raw`'it'\''s'`, ["it's"]],
    [raw`"He said \"hi\""`, ['He said "hi"']],
    [raw`C:\Users\a`, ['C:Usersa']],
    ['0:a? -0:s', ['0:a?', '-0:s']],
    ['[0:v][1:v]hstack=inputs=2[v]', ['[0:v][1:v]hstack=inputs=2[v]']],
    [raw`-i \{\{in_1\}\}`, ['-i', '{{in_1}}']],
    [raw`"movie=\{\{in_2\}\}"`, ['movie={{in_2}}']],
    ['-i {{ in_1 }} x', ['-i', '{{in_1}}', 'x']],
    ["-i '{{ in_1 }}'", ['-i', '{{in_1}}']],
    ['-i <<in_1>>', ['-i', '{{in_1}}']],
    ['a<<name>>b', ['a<<name>>b']],
    ["'drawtext=text=it'\\''s'", ["drawtext=text=it's"]],
    ['drawtext=text="A B"', ['drawtext=text=A B']],
    [raw`-metadata comment="say \"hi\" \n"`, ['-metadata', raw`comment=say "hi" \n`]],
    [raw`"a\$b" "c\d" "e\\f"`, ['a$b', raw`c\d`, raw`e\f`]],
    ['a\tb\r\nc\nd  e', ['a', 'b', 'c', 'd', 'e']],
    ['a \\\n b', ['a', 'b']],
    ['a \\ \t\r\n b', ['a', 'b']],
    ['a \\ -b \\  {{c}} \\ ', ['a', '-b', '{{c}}']],
    ['a \\ b', ['a', ' b']],
    ['a `# one` \\\n b`#c`', ['a', 'b`#c`']],
    ['title=A\\ \nb', ['title=A ', 'b']],
    ['a\\\r\nb', ['ab']],
    ['"a\\\nb"', ['ab']],
    ['"a\nb"', ['a\nb']],
    ['a"b"\'c\'d', ['abcd']],
    [raw`t=$'it\'s\n"1\x41\101\u00e9\U1F3AC'x`, ['t=it\'s\n"1AA\u00e9\u{1F3AC}x']],
    [raw`t=$"a $'b" $"c"`, ["t=a $'b", 'c']],
    [raw`$'{{in_1}}' "$'a'" '$'a`, ['{{in_1}}', "$'a'", '$a']],
    ['$HOME * ? ( ) # ~ !', ['$HOME', '*', '?', '(', ')', '#', '~', '!']],
    ['', []],
    ['  \n ', []],
  ]
  for (const [source, expected] of table) {
    it(`reads ${JSON.stringify(source)} as ${JSON.stringify(expected)}`, () => {
      expect(plainWords(source)).to.deep.equal(expected)
    })
  }

  for (const escape of [
    raw`\a`,
    raw`\x1b`,
    raw`\xe9`,
    raw`\0`,
    raw`\ud800`,
    raw`\U110000`,
    raw`\q`,
  ]) {
    it(`refuses ${escape} in quotes of bash, at its position`, () => {
      const splitting = splitCommand(`a $'b${escape}' c`)
      expect(splitting.ok).to.equal(false)
      expect(!splitting.ok && splitting.refusal.range.from).to.equal(5)
    })
  }

  const filterTable: [string, string][] = [
    [raw`select='lte(n\,1)',setpts='PTS*0.025'`, raw`select='lte(n\,1)',setpts='PTS*0.025'`],
    [raw`select=gt(scene\,0.4)`, raw`select=gt(scene\,0.4)`],
    [raw`drawtext=text=A\ B`, 'drawtext=text=A B'],
    ['drawtext=text="A B":x=10', 'drawtext=text=A B:x=10'],
    ["drawtext=text='A B'", "drawtext=text='A B'"],
    [raw`subtitles=\{\{in_2\}\}:si=1`, 'subtitles={{in_2}}:si=1'],
  ]
  for (const [source, expected] of filterTable) {
    it(`keeps FFmpeg's own quoting of ${source} in the filter reading`, () => {
      expect(tokensOf(source).map((token) => filterReading(token).text)).to.deep.equal([expected])
    })
  }

  const mistakes: [string, string, string][] = [
    ["-i 'abc", "'", 'is never closed'],
    ['-i "abc', '"', 'is never closed'],
    [raw`a\b c${'\\'}`, '\\', 'has nothing behind it'],
    ['a\0b', '\0', 'U+0000'],
    ['a\x07b', '\x07', 'U+0007'],
    ['a\x7fb', '\x7f', 'U+007F'],
    ['a\ud800b', '\ud800', 'U+D800'],
  ]
  for (const [source, culprit, words] of mistakes) {
    it(`refuses ${JSON.stringify(source)} at the character`, () => {
      const splitting = splitCommand(source)
      if (splitting.ok) throw new Error('accepted')
      const { range, type, sentence } = splitting.refusal
      expect(type).to.equal('command_syntax')
      expect(source.slice(range.from, range.to)).to.equal(culprit)
      expect(sentence('place')).to.contain(words)
    })
  }

  it('refuses the 4,097th word and takes the 4,096th', () => {
    expect(splitCommand('a '.repeat(4_096)).ok).to.equal(true)
    expect(splitCommand('a '.repeat(4_097)).ok).to.equal(false)
  })

  it('refuses more than 64 KiB, counted in bytes', () => {
    expect(splitCommand('a'.repeat(65_536)).ok).to.equal(true)
    expect(splitCommand('é'.repeat(32_769)).ok).to.equal(false)
  })

  it('splitCommand never throws, for any text', () => {
    const units = fc.array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)))
    fc.assert(
      fc.property(units, (codes) => void splitCommand(String.fromCharCode(...codes))),
      { numRuns: 1_000 },
    )
  })

  it('loses no character: the pieces of all tokens and the blanks between make the text', () => {
    fc.assert(
      fc.property(commandText, (source) => {
        const splitting = splitCommand(source)
        if (!splitting.ok) return
        const pieces = splitting.tokens.flatMap((token) => token.pieces)
        const uncovered = pieces
          .toReversed()
          .reduce((rest, piece) => rest.slice(0, piece.from) + rest.slice(piece.to), source)
        expect(uncovered.replace(/\\(?=[ \t\r\n])/g, '')).to.match(/^[ \t\r\n]*$/)
      }),
    )
  })

  it('gives back every argument vector that was quoted for a shell', () => {
    const word = fc.string({ unit: charactersOf('ab \'"\\${}[];|=\n\té😀') })
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(plainWords(words.map(quotedForShell).join(' '))).to.deep.equal(words)
      }),
    )
  })

  it('makes of a placeholder what it makes of an ordinary word: the number of tokens stays', () => {
    const spelling = fc.constantFrom('{{in_1}}', '{{ in_1 }}', raw`\{\{in_1\}\}`, '<<in_1>>')
    fc.assert(
      fc.property(commandText, commandText, spelling, (before, after, placeholder) => {
        const [withWord, withPlaceholder] = ['word', placeholder].map((text) =>
          splitCommand(before.replaceAll('\\', '') + text + after),
        )
        if (withWord?.ok !== true || withPlaceholder?.ok !== true) return
        expect(withPlaceholder.tokens.length).to.equal(withWord.tokens.length)
      }),
    )
  })

  it('maps every character of a reading to its source position', () => {
    fc.assert(
      fc.property(commandText, (source) => {
        const splitting = splitCommand(source.replaceAll('<', ''))
        if (!splitting.ok) return
        for (const reading of splitting.tokens.flatMap(bothReadings)) {
          expect(reading.origins.length).to.equal(reading.text.length)
          for (const [index, character] of [...reading.text].entries()) {
            if (character.length > 1) return
            const { from, to } = originOf(reading, index, index + 1)
            expect(source.replaceAll('<', '').slice(from, to)).to.contain(character)
          }
        }
      }),
    )
  })
})

const commandText = fc.string({
  unit: fc.oneof(
    { weight: 6, arbitrary: charactersOf('ab-=:,;[]() \t\n\'"\\é😀') },
    { weight: 1, arbitrary: fc.constantFrom('{{in_1}}', '{{ out_2 }}', '<<in_1>>', '{', '<') },
  ),
  maxLength: 40,
})

function tokensOf(source: string): Token[] {
  const splitting = splitCommand(source)
  if (!splitting.ok) throw new Error(splitting.refusal.sentence(source))
  return splitting.tokens
}

function plainWords(source: string): string[] {
  return tokensOf(source).map((token) => plainReading(token).text)
}

function bothReadings(token: Token): ReturnType<typeof plainReading>[] {
  return [plainReading(token), filterReading(token)]
}

function quotedForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function charactersOf(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...Array.from(text))
}
