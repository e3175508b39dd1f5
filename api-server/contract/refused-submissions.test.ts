import { useApp } from '../app.fixture.ts'
import { expect } from 'chai'
import { checkedCall, placesOf } from '../checked-call.fixture.ts'
import {
  inputs,
  metadata,
  names,
  output,
  pairs,
  input,
  steps,
  text,
  zip,
} from './submission-bodies.fixture.ts'
import { chain, runChain, runSingle, storeFile } from './the-calls.fixture.ts'
import type { Call } from './the-calls.fixture.ts'

const url = 'https://media.example/a.mp4'

const refused: [string, Call, object, string][] = [
  ['both inputs and zip', runSingle, { input_compressed_folder: zip }, 'input_files value_error'],
  ['neither of them', runSingle, { input_files: null }, 'input_files missing'],
  [
    'an alias without prefix',
    runSingle,
    { input_files: { video: url } },
    'input_files.video string_pattern_mismatch',
  ],
  [
    'an alias with a dash',
    runSingle,
    { input_files: { 'in_1-a': url } },
    'input_files.in_1-a string_pattern_mismatch',
  ],
  [
    'an alias of 65 characters',
    runSingle,
    { input_files: { [`in_${'a'.repeat(62)}`]: url } },
    `input_files.in_${'a'.repeat(62)} string_too_long`,
  ],
  ['201 inputs', runSingle, inputs(201), 'input_files too_long'],
  [
    'an output alias without prefix',
    runSingle,
    { output_files: { small: 'a.mp4' } },
    'output_files.small string_pattern_mismatch',
  ],
  ...['a/b.mp4', 'a%03d.mp4', 'a b.mp4', '.mp4', '-a.mp4', '', 'ä.mp4', 'a'.repeat(201)].map(
    (name): [string, Call, object, string] => [
      `the output name '${name.slice(0, 9)}'`,
      runSingle,
      output(name),
      'output_files.out_1 string_pattern_mismatch',
    ],
  ),
  [
    'the same name twice',
    runSingle,
    { output_files: { out_1: 'a.mp4', out_2: 'a.mp4' } },
    'output_files.out_2 value_error',
  ],
  [
    'the folder of a playlist as a name',
    runSingle,
    { output_files: { out_playlist_1: 'a.m3u8', out_2: 'out_playlist_1' } },
    'output_files.out_2 value_error',
  ],
  ['no outputs', runSingle, { output_files: {} }, 'output_files too_short'],
  ['an ftp URL', runSingle, input('ftp://media.example/a.mp4'), 'input_files.in_1 url_parsing'],
  [
    'a URL with a password',
    runSingle,
    input('https://u:p@media.example/a.mp4'),
    'input_files.in_1 url_parsing',
  ],
  ['a relative URL', runSingle, input('/a.mp4'), 'input_files.in_1 url_parsing'],
  [
    'a URL that is too long',
    runSingle,
    input(`${url}?${'a'.repeat(8_192)}`),
    'input_files.in_1 url_parsing',
  ],
  ['a number for a URL', runSingle, input(7), 'input_files.in_1 string_type'],
  [
    'a bad zip URL',
    runSingle,
    { input_files: null, input_compressed_folder: 'x' },
    'input_compressed_folder url_parsing',
  ],
  [
    'OUTPUT_FOLDER as an object',
    runSingle,
    { output_files: { OUTPUT_FOLDER: 'a.zip' } },
    'output_files.OUTPUT_FOLDER string_pattern_mismatch',
  ],
  ['another text for the outputs', runSingle, { output_files: 'FOLDER' }, 'output_files enum'],
  ['.m3u8 under out_1', runSingle, output('a.m3u8'), 'output_files.out_1 value_error'],
  [
    '.mp4 under out_playlist_1',
    runSingle,
    output('a.mp4', 'out_playlist_1'),
    'output_files.out_playlist_1 value_error',
  ],
  ['vcpu_count 0', runSingle, { vcpu_count: 0 }, 'vcpu_count greater_than_equal'],
  ['vcpu_count 2.5', runSingle, { vcpu_count: 2.5 }, 'vcpu_count int_parsing'],
  ['vcpu_count true', runSingle, { vcpu_count: true }, 'vcpu_count int_parsing'],
  ["vcpu_count 'four'", runSingle, { vcpu_count: 'four' }, 'vcpu_count int_parsing'],
  ['no seconds', runSingle, { max_command_run_seconds: 0 }, 'max_command_run_seconds greater_than'],
  [
    'seconds that are not a number',
    runSingle,
    { max_command_run_seconds: false },
    'max_command_run_seconds float_parsing',
  ],
  ['is_private maybe', runSingle, { is_private: 'maybe' }, 'is_private bool_parsing'],
  ['is_private 1', runSingle, { is_private: 1 }, 'is_private bool_parsing'],
  [
    'output_ttl_seconds 59',
    runSingle,
    { output_ttl_seconds: 59 },
    'output_ttl_seconds value_error',
  ],
  [
    'output_ttl_seconds above a year',
    runSingle,
    { output_ttl_seconds: 31_536_001 },
    'output_ttl_seconds less_than_equal',
  ],
  [
    'a webhook URL that is none',
    runSingle,
    { webhook_url: 'app.example' },
    'webhook_url url_parsing',
  ],
  ['a blank command', runSingle, text('  '), 'ffmpeg_command string_too_short'],
  ['an empty command', runSingle, text(''), 'ffmpeg_command string_too_short'],
  [
    'a command over 64 KiB',
    runSingle,
    text(`-i {{in_1}} {{out_1}} ${'ä'.repeat(32_768)}`),
    'ffmpeg_command string_too_long',
  ],
  ['null for the command', runSingle, { ffmpeg_command: null }, 'ffmpeg_command string_type'],
  ...[runSingle, runChain].flatMap((call): [string, Call, object, string][] => [
    ['metadata with 11 pairs', call, metadata(pairs(11)), 'metadata too_long'],
    [
      'a key of 513 characters',
      call,
      metadata({ ['k'.repeat(513)]: 1 }),
      `metadata.${'k'.repeat(513)} string_too_long`,
    ],
    ['an empty key', call, metadata({ '': 1 }), 'metadata. string_too_short'],
    [
      'a value of 513 characters',
      call,
      metadata({ a: 'x'.repeat(513) }),
      'metadata.a string_too_long',
    ],
    ['a nested value', call, metadata({ a: { b: 1 } }), 'metadata.a value_error'],
    ['an array in metadata', call, metadata({ a: [1] }), 'metadata.a value_error'],
    ['null in metadata', call, metadata({ a: null }), 'metadata.a value_error'],
    ['metadata that is not an object', call, metadata('x'), 'metadata dict_type'],
  ]),
  ['no commands', runChain, { ffmpeg_commands: [] }, 'ffmpeg_commands too_short'],
  [
    'eleven commands',
    runChain,
    { ffmpeg_commands: steps(11), output_files: names(11) },
    'ffmpeg_commands too_long',
  ],
  [
    'a text for the commands',
    runChain,
    { ffmpeg_commands: '-i {{in_1}} {{out_1}}' },
    'ffmpeg_commands list_type',
  ],
  [
    'a blank command',
    runChain,
    { ffmpeg_commands: [chain.ffmpeg_commands[0], ' '] },
    'ffmpeg_commands.1 string_too_short',
  ],
  [
    'ffmpeg_command alone',
    runChain,
    { ffmpeg_commands: undefined, ffmpeg_command: 'x' },
    'ffmpeg_commands missing',
  ],
  [
    'ffmpeg_commands alone',
    runSingle,
    { ffmpeg_command: undefined, ffmpeg_commands: ['x'] },
    'ffmpeg_command missing',
  ],
  ['a zip', runChain, { input_compressed_folder: zip }, 'input_compressed_folder value_error'],
  ['OUTPUT_FOLDER', runChain, { output_files: 'OUTPUT_FOLDER' }, 'output_files dict_type'],
  [
    'an alias that is read too early',
    runChain,
    { ffmpeg_commands: chain.ffmpeg_commands.toReversed() },
    'ffmpeg_commands.0 command_alias',
  ],
  [
    'an output that no command writes',
    runChain,
    { output_files: { ...chain.output_files, out_3: 'c.mp4' } },
    'ffmpeg_commands command_alias',
  ],
  ['a URL that is none', storeFile, { file_url: 'clip.mov' }, 'file_url url_parsing'],
  ['another scheme', storeFile, { file_url: 'file:///etc/passwd' }, 'file_url url_parsing'],
]

describe('submissions', () => {
  const app = useApp()

  const submit = (call: Call, change: object = {}, key = app.key) =>
    checkedCall(app.url, call.path, { method: 'POST', key, body: { ...call.body, ...change } })

  for (const [what, call, change, place] of refused) {
    it(`${call.name} refuses ${what}`, async () => {
      const answer = await submit(call, change)
      expect([answer.status, ...placesOf(answer)]).to.deep.equal([422, `body.${place}`])
    })
  }

  it('at most twenty mistakes are reported', async () => {
    const many = Array.from({ length: 30 }, (_, index) => [`in_${index}`, 'x'] as const)
    const answer = await submit(runSingle, { input_files: Object.fromEntries(many) })
    expect(placesOf(answer)).to.have.length(20)
  })
})
