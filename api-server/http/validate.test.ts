import { expect } from 'chai'
import fc from 'fast-check'
import { operation } from './openapi.ts'
import { validatorFor } from './validate.ts'
import type { Calls } from '../../common/openapi/openapi-types.ts'

const check = validatorFor<Calls['runFfmpegCommand']>(operation('runFfmpegCommand').schema)

const good = {
  ffmpeg_command: '-i {{in_1}} {{out_1}}',
  input_files: { in_1: 'https://media.example/a.avi' },
  output_files: { out_1: 'a.mp4' },
}

function mistakesOf(body: unknown): string[] {
  const result = check({ path: {}, query: {}, ...(body === undefined ? {} : { body }) })
  return result.ok
    ? []
    : result.mistakes.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`.trim())
}

const many = (count: number, name: (index: number) => string, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), value]))

describe('the schema of a submission', () => {
  const table: [string, object, string[]][] = [
    ['takes the smallest request', {}, []],
    ['takes no inputs at all', { input_files: {} }, []],
    ['needs inputs', { input_files: undefined }, ['input_files missing']],
    ['needs inputs also where they are null', { input_files: null }, ['input_files missing']],
    ['needs the command', { ffmpeg_command: undefined }, ['ffmpeg_command missing']],
    ['needs the outputs', { output_files: undefined }, ['output_files missing']],
    [
      'takes null for a required field as a wrong type',
      { output_files: null },
      ['output_files dict_type'],
    ],
    ['wants text as the command', { ffmpeg_command: 5 }, ['ffmpeg_command string_type']],
    ['wants more than nothing', { ffmpeg_command: '' }, ['ffmpeg_command string_too_short']],
    ['wants more than blanks', { ffmpeg_command: ' \n' }, ['ffmpeg_command string_too_short']],
    ['counts bytes', { ffmpeg_command: 'é'.repeat(32_769) }, ['ffmpeg_command string_too_long']],
    ['takes 65,536 bytes', { ffmpeg_command: 'é'.repeat(32_768) }, []],
    [
      'wants prefixes',
      { input_files: { video: 'https://a/b' } },
      ['input_files.video string_pattern_mismatch'],
    ],
    [
      'wants short aliases',
      { input_files: { [`in_${'x'.repeat(62)}`]: 'https://a/b' } },
      [`input_files.in_${'x'.repeat(62)} string_too_long`],
    ],
    ['takes 200 inputs', { input_files: many(200, (n) => `in_${n}`, 'https://a/b') }, []],
    [
      'takes no 201',
      { input_files: many(201, (n) => `in_${n}`, 'https://a/b') },
      ['input_files too_long'],
    ],
    ['wants http', { input_files: { in_1: 'ftp://a/b' } }, ['input_files.in_1 url_parsing']],
    ['wants two slashes', { input_files: { in_1: 'https:a/b' } }, ['input_files.in_1 url_parsing']],
    [
      'wants no password',
      { input_files: { in_1: 'https://u:p@a/b' } },
      ['input_files.in_1 url_parsing'],
    ],
    [
      'wants no NUL in a URL',
      { input_files: { in_1: 'https://a/\u0000' } },
      ['input_files.in_1 url_parsing'],
    ],
    ['takes blanks around a URL', { input_files: { in_1: ' https://a/b\n' } }, []],
    ['takes 8,192 characters', { input_files: { in_1: `https://a/${'b'.repeat(8_182)}` } }, []],
    [
      'takes no 8,193',
      { input_files: { in_1: `https://a/${'b'.repeat(8_183)}` } },
      ['input_files.in_1 url_parsing'],
    ],
    ['wants text as a URL', { input_files: { in_1: null } }, ['input_files.in_1 string_type']],
    ['wants an output', { output_files: {} }, ['output_files too_short']],
    ['knows one word for all outputs', { output_files: 'FOLDER' }, ['output_files enum']],
    [
      'wants that word alone',
      { output_files: { OUTPUT_FOLDER: 'a.zip' } },
      ['output_files.OUTPUT_FOLDER string_pattern_mismatch'],
    ],
    ['wants an object of outputs', { output_files: [] }, ['output_files dict_type']],
    ...['a/b.mp4', 'a%03d.png', 'a b.mp4', '.mp4', '-a.mp4', 'x'.repeat(201), ''].map(
      (name): [string, object, string[]] => [
        `refuses the output name '${name.slice(0, 20)}'`,
        { output_files: { out_1: name } },
        ['output_files.out_1 string_pattern_mismatch'],
      ],
    ),
    [
      'wants one kind of input',
      { input_compressed_folder: 'https://a/b.zip' },
      ['input_files value_error'],
    ],
    [
      'takes a zip beside no inputs',
      { input_files: {}, input_compressed_folder: 'https://a/b.zip' },
      [],
    ],
    [
      'wants a URL of the zip',
      { input_files: null, input_compressed_folder: 'b.zip' },
      ['input_compressed_folder url_parsing'],
    ],
    ['wants time to run', { max_command_run_seconds: 0 }, ['max_command_run_seconds greater_than']],
    [
      'wants a finite time',
      { max_command_run_seconds: '1e999' },
      ['max_command_run_seconds float_parsing'],
    ],
    [
      'wants a number',
      { max_command_run_seconds: 'soon' },
      ['max_command_run_seconds float_parsing'],
    ],
    ['wants a vCPU', { vcpu_count: 0 }, ['vcpu_count greater_than_equal']],
    ['wants whole vCPUs', { vcpu_count: 2.5 }, ['vcpu_count int_parsing']],
    ['takes no true for one', { vcpu_count: true }, ['vcpu_count int_parsing']],
    ['wants yes or no', { is_private: 'maybe' }, ['is_private bool_parsing']],
    ['takes no 1 for yes', { is_private: 1 }, ['is_private bool_parsing']],
    ['takes ten pairs', { metadata: many(10, (n) => `k${n}`, 1.5) }, []],
    ['takes no eleven', { metadata: many(11, (n) => `k${n}`, 1) }, ['metadata too_long']],
    [
      'takes 512 characters of anything',
      { metadata: { ['😀'.repeat(512)]: '😀'.repeat(512) } },
      [],
    ],
    [
      'wants short keys',
      { metadata: { ['k'.repeat(513)]: 1 } },
      [`metadata.${'k'.repeat(513)} string_too_long`],
    ],
    ['wants keys', { metadata: { '': 1 } }, ['metadata. string_too_short']],
    ['wants short values', { metadata: { a: 'v'.repeat(513) } }, ['metadata.a string_too_long']],
    [
      'wants flat values',
      { metadata: { a: {}, b: [], c: null } },
      ['metadata.a value_error', 'metadata.b value_error', 'metadata.c value_error'],
    ],
    [
      'wants what a database can hold',
      { metadata: { a: '\u0000', b: '\ud800' } },
      ['metadata.a string_pattern_mismatch', 'metadata.b string_pattern_mismatch'],
    ],
    ['keeps slashes in a place', { metadata: { 'a/b~c': null } }, ['metadata.a/b~c value_error']],
  ]
  for (const [title, change, mistakes] of table) {
    it(title, () => {
      expect(mistakesOf(JSON.parse(JSON.stringify({ ...good, ...change })))).to.deep.equal(mistakes)
    })
  }

  it('reports a missing body, and a body that is not an object', () => {
    expect(mistakesOf(undefined)).to.deep.equal(['missing'])
    expect([null, [], 'x', 5].map(mistakesOf)).to.deep.equal(Array(4).fill(['dict_type']))
  })

  it('fills in defaults and converts values in a copy', () => {
    const body = { ...good, vcpu_count: '4', is_private: 'False', metadata: null }
    const result = check({ path: {}, query: {}, body })
    expect(result.ok && result.value.body).to.deep.equal({
      ...good,
      vcpu_count: 4,
      is_private: false,
      max_command_run_seconds: 300,
    })
    expect(body.vcpu_count).to.equal('4')
  })

  it('names what was found in place of a missing field', () => {
    const said = (body: object) => {
      const result = check({ path: {}, query: {}, body: { ...good, ...body } })
      return result.ok ? [] : result.mistakes.map(({ msg }) => msg)
    }
    const { ffmpeg_command: text, output_files: outputs } = good
    expect(said({ ffmpeg_command: undefined, cmd: text })).to.deep.equal([
      "Field required; found 'cmd'",
    ])
    expect(said({ ffmpeg_command: undefined, ffmpeg_commands: [text] })).to.deep.equal([
      "Field required; found 'ffmpeg_commands'; for several commands use POST /v1/run-chained-ffmpeg-commands",
    ])
    expect(said({ output_files: undefined, OutputFiles: outputs })).to.deep.equal([
      "Field required; found 'OutputFiles'",
    ])
    expect(said({ output_files: undefined, color: 'red' })).to.deep.equal(['Field required'])
  })

  it('reports at most twenty mistakes for any body', () => {
    const found = mistakesOf({ ...good, input_files: many(30_000, (n) => `x${n}`, 5) })
    expect(found).to.have.length(20)
  })

  it('returns a result for any JSON value', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom(...Object.keys(good), 'metadata', 'x'),
        (value, key) => {
          mistakesOf({ ...good, [key]: value })
          mistakesOf(value)
        },
      ),
    )
  })
})
