import { expect } from 'chai'
import { localFiles, commandText } from './job.ts'
import { jobOf } from './job-of.fixture.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { submissionFor } from './submission-for.ts'
import fc from 'fast-check'
import { plainReading, filterReading } from '../../common/command-line/read/reading.ts'
import { placeholderAt, placeholderText } from '../../common/command-line/model/placeholders.ts'
import { splitCommand } from '../../common/command-line/read/tokens.ts'

function submission(...args: string[]): object {
  return submissionFor(jobOf(args), (file) => `up:${file}`)
}

const tail = ['--', '-i', '{{in_1}}', '{{out_1}}']
const text = '-i {{in_1}} {{out_1}}'

describe('a command line of run', () => {
  it('a command line is a chain if it has more than one command', () => {
    const args = ['-i', 'in_1=http://a/b', '-o', 'out_1=x/a.mp4', '-o', 'out_2=b.jpg', ...tail]
    expect(submission(...args, '--', '-i {{out_1}}   {{out_2}}')).to.deep.equal({
      ffmpeg_commands: [text, '-i {{out_1}}   {{out_2}}'],
      input_files: { in_1: 'http://a/b' },
      output_files: { out_1: 'a.mp4', out_2: 'b.jpg' },
    })
  })

  it('takes a zip archive in place of inputs, and a folder in place of outputs', () => {
    const args = ['--input-zip', '/parts.zip', '-o', 'OUTPUT_FOLDER=all.zip']
    expect(submission(...args, '--', '-i', 'a.mov', 'b%03d.mp4')).to.deep.equal({
      ffmpeg_command: '-i a.mov b%03d.mp4',
      input_compressed_folder: 'up:/parts.zip',
      output_files: 'OUTPUT_FOLDER',
    })
  })

  it('a last argument in quotes is a whole command, with placeholders or without', () => {
    const text = '-f lavfi -i testsrc=d=1 f_%03d.png'
    expect(submission('-o', 'OUTPUT_FOLDER=all.zip', text)).to.deep.include({
      ffmpeg_command: text,
      output_files: 'OUTPUT_FOLDER',
    })
  })

  it('a command line needs no output for an analysis, whose log is the result', () => {
    const args = ['-i', '/a.mov', '--', '-i', '{{in}}', '-af', 'volumedetect', '-f', 'null', '-']
    expect(submission(...args)).to.deep.include({
      ffmpeg_command: '-i {{in_1}} -af volumedetect -f null -',
      output_files: {},
    })
    const log = ['-i', '/a.mov', '-o', 'a.txt', '-i {{in}} -f null - 2> {{out}}']
    expect(submission(...log)).to.deep.include({
      ffmpeg_command: '-i {{in_1}} -f null - 2> {{out_1}}',
      output_files: { out_1: 'a.txt' },
    })
  })

  it("names outputs by the service's rule, without duplicates", () => {
    const args = ['-i', 'in_1=/a', '-o', 'out_1=a/my film.mp4', '-o', 'out_2=b/my_film.mp4']
    expect(submission(...args, '-o', 'out_3=.hidden', ...tail)).to.deep.include({
      output_files: { out_1: 'my_film.mp4', out_2: 'out_2_my_film.mp4', out_3: '_hidden' },
    })
  })

  it('numbers files without names in their order, beside those with names', () => {
    const args = ['-i', '/a.mov', '-i', 'in_1=http://a/b', '-i', '/c=d.mov', '-o', 'x.mp4']
    expect(submission(...args, '-o', 'film.m3u8', ...tail)).to.deep.include({
      input_files: { in_1: 'http://a/b', in_2: 'up:/a.mov', in_3: 'up:/c=d.mov' },
      output_files: { out_1: 'x.mp4', out_playlist_1: 'film.m3u8' },
    })
  })

  it('takes a quoted command without dashes, in which {{in}} and {{out}} are the one input and output', () => {
    const args = ['-i', '/a.mov', '-o', 'small.mp4']
    expect(submission(...args, '-i {{in}} -vf scale=-2:480 {{out}}')).to.deep.equal({
      ffmpeg_command: '-i {{in_1}} -vf scale=-2:480 {{out_1}}',
      input_files: { in_1: 'up:/a.mov' },
      output_files: { out_1: 'small.mp4' },
    })
  })

  it('a job has the priority of the option, and none without it', () => {
    const args = ['-i', 'in_1=/a', '-o', 'out_1=b']
    expect(submission(...args, '--priority', 'high', ...tail)).to.include({ priority: 'high' })
    expect(submission(...args, ...tail)).not.to.have.property('priority')
  })

  it('a job has the lifetime of presigned URLs of the option, and none without it', () => {
    const args = ['-i', 'in_1=/a', '-o', 'out_1=b', '--private']
    expect(submission(...args, '--presigned-ttl', '3600', ...tail)).to.include({
      is_private: true,
      presigned_ttl_seconds: 3_600,
    })
    expect(submission(...args, ...tail)).not.to.have.property('presigned_ttl_seconds')
  })

  it('uploads each file once', () => {
    const inputs = ['in_1=/a', 'in_2=/a', 'in_3=HTTPS://b/c'].flatMap((input) => ['-i', input])
    expect(localFiles(jobOf([...inputs, '-o', 'out_1=b', ...tail]))).to.deep.equal(['/a'])
  })

  const wrong: [string, string[], RegExp][] = [
    ['no arguments of FFmpeg', ['-o', 'out_1=a'], /after '--'/],
    ['an empty command in a chain', ['-o', 'out_1=a', ...tail, '--'], /after '--'/],
    [
      'an unknown priority',
      ['-o', 'out_1=a', '--priority', 'urgent', ...tail],
      /low, normal, high, not 'urgent'/,
    ],
    ['no output', tail, /-o out_1=small\.mp4/],
    [
      '{{in}} for two inputs',
      ['-i', 'a.mov', '-i', 'b.mov', '-o', 'c.mp4', '--', '-i {{in}} {{out}}'],
      /\{\{in\}\} needs exactly one input; you have \{\{in_1\}\}, \{\{in_2\}\}/,
    ],
    ['an empty name of a file', ['-i', '', '-o', 'out_1=a', ...tail], /takes a file, not ''/],
    ['an output without a file', ['-o', 'out_1=', ...tail], /NAME=VALUE/],
    ['a name given twice', ['-o', 'out_1=a', '-o', 'out_1=b', ...tail], /out_1 is given twice/],
    [
      'vCPUs that are not a number',
      ['-o', 'out_1=a', '--vcpu', 'many', ...tail],
      /whole number, not 'many'/,
    ],
    ['no time', ['-o', 'out_1=a', '--timeout', '0', ...tail], /seconds, not '0'/],
    [
      'a zip archive for a chain',
      ['--input-zip', 'a.zip', '-o', 'out_1=a', ...tail, ...tail],
      /--input-zip/,
    ],
  ]
  for (const [title, args, message] of wrong) {
    it(`rejects a command line of run with ${title}`, () => {
      expect(() => submission(...args)).to.throw(UsageError, message)
    })
  }
})

/** FFmpeg's arguments from a command string: `filter` as the service parses a filter graph. */
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

/** The service normalises all spellings of a placeholder. */
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
  '{{in_1}}',
  '{{ out_1 }}',
  '\\{\\{in_2\\}\\}',
  '<<in_1>>',
)
const argument = fc.oneof(
  fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  fc
    .string({ unit: 'grapheme' })
    .filter((text) => splitCommand(`'${text.replaceAll("'", '')}'`).ok),
)

describe('commandText', () => {
  it('passes the arguments to FFmpeg unchanged, also in filter graphs', () => {
    fc.assert(
      fc.property(fc.array(argument, { minLength: 2, maxLength: 6 }), (args) => {
        const expected = args.map(withPlainPlaceholders)
        expect(argvOf(commandText(args))).to.deep.equal({ plain: expected, filter: expected })
      }),
      { numRuns: 2_000 },
    )
  })

  it('commandText does not quote plain words and placeholders', () => {
    const args = ['-i', '{{in_1}}', '-vf', 'scale=-2:320', '-c:a', 'aac', '{{out_1}}']
    expect(commandText(args)).to.equal('-i {{in_1}} -vf scale=-2:320 -c:a aac {{out_1}}')
    expect(commandText(['-vf', "drawtext=text='it''s'", ''])).to.equal(
      `-vf 'drawtext=text='\\''it'\\'''\\''s'\\''' ''`,
    )
  })

  it('treats one argument with blanks as a whole command', () => {
    expect(commandText(['-i {{in_1}} "a b" {{out_1}}'])).to.equal('-i {{in_1}} "a b" {{out_1}}')
    expect(commandText(['{{out_1}}'])).to.equal('{{out_1}}')
  })
})
