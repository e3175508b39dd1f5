import {
  input,
  inputs,
  metadata,
  mp4Url,
  output,
  pairs,
  text,
  zip,
} from './submission-bodies.fixture.ts'

/** Name of the mistake, the change of a good body that causes it, and the mistakes below `body`. */
type Mistake = readonly [string, object, ...string[]]

const long = `in_${'a'.repeat(62)}`
const longKey = 'k'.repeat(513)
const badNames = ['a/b.mp4', 'a%03d.mp4', 'a b.mp4', '.mp4', '-a.mp4', '', 'ä.mp4', 'a'.repeat(201)]

const inputMistakes: Mistake[] = [
  ['no inputs', { input_files: undefined }, 'input_files missing'],
  ['null for the inputs', { input_files: null }, 'input_files missing'],
  ['both inputs and zip', { input_compressed_folder: zip }, 'input_files value_error'],
  ['a bad zip URL', { ...zipAlone('x') }, 'input_compressed_folder url_parsing'],
  ['an alias without prefix', input(mp4Url, 'video'), 'input_files.video string_pattern_mismatch'],
  ['an alias with a dash', input(mp4Url, 'in_1-a'), 'input_files.in_1-a string_pattern_mismatch'],
  ['an alias of 65 characters', input(mp4Url, long), `input_files.${long} string_too_long`],
  ['201 inputs', inputs(201), 'input_files too_long'],
  ['an ftp URL', input('ftp://media.example/a.mp4'), 'input_files.in_1 url_parsing'],
  ['a URL without slashes', input('https:a/b'), 'input_files.in_1 url_parsing'],
  ['a URL with a password', input('https://u:p@a.example/b'), 'input_files.in_1 url_parsing'],
  ['a URL with a NUL', input('https://a.example/\u0000'), 'input_files.in_1 url_parsing'],
  ['a relative URL', input('/a.mp4'), 'input_files.in_1 url_parsing'],
  ['a URL of 8,193 characters', input(urlOf(8_193)), 'input_files.in_1 url_parsing'],
  ['a number for a URL', input(7), 'input_files.in_1 string_type'],
  ['null for a URL', input(null), 'input_files.in_1 string_type'],
]

const outputMistakes: Mistake[] = [
  ['no field of outputs', { output_files: undefined }, 'output_files missing'],
  ['null for the outputs', { output_files: null }, 'output_files dict_type'],
  ['a list of outputs', { output_files: [] }, 'output_files dict_type'],
  ['another text for the outputs', { output_files: 'FOLDER' }, 'output_files enum'],
  ['OUTPUT_FOLDER as an alias', output('a.zip', 'OUTPUT_FOLDER'), badAlias('OUTPUT_FOLDER')],
  ['an output alias without prefix', output('a.mp4', 'small'), badAlias('small')],
  ...badNames.map((name): Mistake => [
    `the output name '${name.slice(0, 9)}'`,
    output(name),
    badAlias('out_1'),
  ]),
]

const commandMistakes: Mistake[] = [
  ['no command', text(undefined), 'ffmpeg_command missing'],
  ['null for the command', text(null), 'ffmpeg_command string_type'],
  ['a number for the command', text(5), 'ffmpeg_command string_type'],
  ['an empty command', text(''), 'ffmpeg_command string_too_short'],
  ['a blank command', text(' \n'), 'ffmpeg_command string_too_short'],
  ['a command over 64 KiB', text('é'.repeat(32_769)), 'ffmpeg_command string_too_long'],
]

const limitMistakes: Mistake[] = [
  ['vcpu_count 0', { vcpu_count: 0 }, 'vcpu_count greater_than_equal'],
  ['vcpu_count 2.5', { vcpu_count: 2.5 }, 'vcpu_count int_parsing'],
  ['vcpu_count true', { vcpu_count: true }, 'vcpu_count int_parsing'],
  ["vcpu_count 'four'", { vcpu_count: 'four' }, 'vcpu_count int_parsing'],
  ['0 seconds', seconds(0), 'max_command_run_seconds greater_than'],
  ['false for the seconds', seconds(false), 'max_command_run_seconds float_parsing'],
  ['a text for the seconds', seconds('soon'), 'max_command_run_seconds float_parsing'],
  ['infinite seconds', seconds('1e999'), 'max_command_run_seconds float_parsing'],
  ['is_private maybe', { is_private: 'maybe' }, 'is_private bool_parsing'],
  ['is_private 1', { is_private: 1 }, 'is_private bool_parsing'],
]

export const metadataMistakes: Mistake[] = [
  ['metadata with 11 pairs', metadata(pairs(11)), 'metadata too_long'],
  ['a key of 513 characters', metadata({ [longKey]: 1 }), `metadata.${longKey} string_too_long`],
  ['an empty key', metadata({ '': 1 }), 'metadata. string_too_short'],
  ['a value of 513 characters', metadata({ a: longKey }), 'metadata.a string_too_long'],
  ['a nested value', metadata({ a: { b: 1 } }), 'metadata.a value_error'],
  ['an array in metadata', metadata({ a: [1] }), 'metadata.a value_error'],
  ['null in metadata', metadata({ a: null }), 'metadata.a value_error'],
  [
    'three such values',
    metadata({ a: {}, b: [], c: null }),
    ...['a', 'b', 'c'].map((key) => `metadata.${key} value_error`),
  ],
  ['slashes in a key', metadata({ 'a/b~c': null }), 'metadata.a/b~c value_error'],
  ['a NUL in a value', metadata({ a: '\u0000' }), 'metadata.a string_pattern_mismatch'],
  ['half a surrogate pair', metadata({ a: '\ud800' }), 'metadata.a string_pattern_mismatch'],
  ['metadata that is not an object', metadata('x'), 'metadata dict_type'],
]

/** Mistakes in a single command that the schema alone finds. */
export const schemaMistakes: readonly Mistake[] = [
  ...inputMistakes,
  ...outputMistakes,
  ...commandMistakes,
  ...limitMistakes,
  ...metadataMistakes,
]

/** A URL of this many characters. */
export function urlOf(length: number): string {
  return 'https://a.example/'.padEnd(length, 'b')
}

function zipAlone(url: string): object {
  return { input_files: null, input_compressed_folder: url }
}

function badAlias(alias: string): string {
  return `output_files.${alias} string_pattern_mismatch`
}

function seconds(value: unknown): object {
  return { max_command_run_seconds: value }
}
