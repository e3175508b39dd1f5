import fc from 'fast-check'
import { emptyDraft, usualOptions } from './draft.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'
import type { Draft, DraftFile, DraftInput } from './draft.ts'

export const aDraft = (change: Partial<Draft> = {}): Draft => ({ ...emptyDraft, ...change })

export const anInput = (change: Partial<DraftInput> = {}): DraftInput => ({
  alias: 'in_1',
  url: '',
  file: null,
  hint: null,
  ...change,
})

/** A file that the service has. */
export const aStoredFile = (change: Partial<DraftFile> = {}): DraftFile => ({
  name: 'film.mov',
  mbytes: 3,
  upload: null,
  ...change,
})

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const value = fc.oneof(text, fc.integer(), fc.boolean())
const key = text.filter((one) => one.trim() !== '' && one !== '__proto__')
const url = fc.webUrl()
const inputs = fc.dictionary(fc.constantFrom('in_1', 'in_2', 'in_film'), url, {
  noNullPrototype: true,
})
const outputs = fc.dictionary(fc.constantFrom('out_1', 'out_2', 'out_playlist_1'), text, {
  minKeys: 1,
  noNullPrototype: true,
})
const common = {
  max_command_run_seconds: fc.integer({ min: 1, max: 1_000_000 }).map((one) => one / 100),
  vcpu_count: fc.integer({ min: 1, max: 64 }),
  metadata: fc.option(fc.dictionary(key, value, { minKeys: 1, noNullPrototype: true })),
  is_private: fc.boolean(),
  priority: fc.constantFrom('low', 'normal', 'high'),
  output_ttl_seconds: fc.option(fc.nat()),
  presigned_ttl_seconds: fc.option(fc.nat()),
  webhook_url: fc.option(url),
} as const

/** The request of any record: a command of inputs, one of an archive, or a chain. */
export const anyRequest: fc.Arbitrary<OriginalRequest> = fc.oneof(
  fc.record({
    ...common,
    ffmpeg_command: text,
    input_files: inputs,
    input_compressed_folder: fc.constant(null),
    output_files: fc.oneof(outputs, fc.constant('OUTPUT_FOLDER')),
  }),
  fc.record({
    ...common,
    ffmpeg_command: text,
    input_files: fc.constant(null),
    input_compressed_folder: url,
    output_files: fc.oneof(outputs, fc.constant('OUTPUT_FOLDER')),
  }),
  fc.record({
    ...common,
    ffmpeg_commands: fc.array(text, { minLength: 2, maxLength: 4 }),
    input_files: inputs,
    output_files: outputs,
  }),
) as fc.Arbitrary<OriginalRequest>

const file = fc.record({
  name: text,
  mbytes: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
  upload: fc.option(text),
})

/** Any draft that a user can write, mistakes included. */
export const anyDraft: fc.Arbitrary<Draft> = fc.record({
  inputs: fc.array(
    fc.record({
      alias: text,
      url: fc.oneof(text, url),
      file: fc.option(file),
      hint: fc.option(text),
    }),
    { maxLength: 4 },
  ),
  zip: fc.option(text),
  commands: fc.array(text, { minLength: 1, maxLength: 3 }),
  outputs: fc.option(fc.array(fc.record({ alias: text, name: text }), { maxLength: 3 })),
  options: fc.record({
    vcpus: text,
    seconds: text,
    ttl: text,
    isPrivate: fc.boolean(),
    presignedTtl: text,
    priority: fc.constantFrom(usualOptions.priority, 'low', 'high'),
    webhookUrl: text,
    metadata: fc.array(fc.tuple(text, value), { maxLength: 3 }),
  }),
})
