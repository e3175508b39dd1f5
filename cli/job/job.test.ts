import { expect } from 'chai'
import { jobFrom, jobOptions, localFiles, splitAtDashes } from './job.ts'
import { parsed, UsageError } from '../terminal/parse.ts'
import { submissionFor } from './submission-for.ts'

function submission(...args: string[]): object {
  const { own, commands } = splitAtDashes(args)
  return submissionFor(jobFrom(parsed(own, jobOptions).values, commands), (file) => `up:${file}`)
}

const tail = ['--', '-i', '{{in_1}}', '{{out_1}}']
const text = '-i {{in_1}} {{out_1}}'

describe('a command line of run', () => {
  it('is a chain where it has more than one command', () => {
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

  it('names outputs by the rule of the service, each once', () => {
    const args = ['-i', 'in_1=/a', '-o', 'out_1=a/my film.mp4', '-o', 'out_2=b/my_film.mp4']
    expect(submission(...args, '-o', 'out_3=.hidden', ...tail)).to.deep.include({
      output_files: { out_1: 'my_film.mp4', out_2: 'out_2_my_film.mp4', out_3: '_hidden' },
    })
  })

  it('uploads each file once', () => {
    const { own, commands } = splitAtDashes([
      '-i',
      'in_1=/a',
      '-i',
      'in_2=/a',
      '-i',
      'in_3=HTTPS://b/c',
      '-o',
      'out_1=b',
      ...tail,
    ])
    expect(localFiles(jobFrom(parsed(own, jobOptions).values, commands))).to.deep.equal(['/a'])
  })

  const wrong: [string, string[], RegExp][] = [
    ['no arguments of FFmpeg', ['-o', 'out_1=a'], /behind '--'/],
    ['an empty command in a chain', ['-o', 'out_1=a', ...tail, '--'], /behind '--'/],
    ['no output', tail, /-o out_1=small\.mp4/],
    [
      'an input without a name',
      ['-i', 'a.mov', '-o', 'out_1=a', ...tail],
      /NAME=VALUE.*not 'a\.mov'/,
    ],
    ['an output without a file', ['-o', 'out_1=', ...tail], /NAME=VALUE/],
    ['a name given twice', ['-o', 'out_1=a', '-o', 'out_1=b', ...tail], /out_1 is given twice/],
    [
      'vCPUs that are no number',
      ['-o', 'out_1=a', '--vcpu', 'many', ...tail],
      /whole number, not 'many'/,
    ],
    ['no time', ['-o', 'out_1=a', '--timeout', '0', ...tail], /seconds, not '0'/],
    ['an option that there is not', ['--fast', '-o', 'out_1=a', ...tail], /--fast/],
    [
      'a zip archive for a chain',
      ['--input-zip', 'a.zip', '-o', 'out_1=a', ...tail, ...tail],
      /--input-zip/,
    ],
  ]
  for (const [title, args, message] of wrong) {
    it(`is refused with ${title}`, () => {
      expect(() => submission(...args)).to.throw(UsageError, message)
    })
  }
})
