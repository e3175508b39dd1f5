import { expect } from 'chai'
import fc from 'fast-check'
import {
  customResourceFor,
  isSmall,
  referringResourceFor,
} from '../api-server/dispatch/resource/to-custom-resource.ts'
import type { ResourceSource } from '../api-server/dispatch/resource/to-custom-resource.ts'
import { operation } from '../api-server/http/openapi.ts'
import { validatorFor } from '../api-server/http/validate.ts'
import {
  largestCommandBytes,
  largestCreatedBytes,
  largestStatusBytes,
  storedBytes,
} from '../common/kubernetes/stored-bytes.ts'
import type { Calls } from '../common/openapi/openapi-types.ts'
import type { FfmpegCommandSpec } from '../crds/ffmpegcommand.ts'

const check = validatorFor<Calls['runChainedFfmpegCommands']>(
  operation('runChainedFfmpegCommands').schema,
)

/** Mostly the characters that grow most in etcd. */
function textOf(longest: number, units: string): fc.Arbitrary<string> {
  const unit = fc.constantFrom(...units)
  return fc
    .tuple(fc.integer({ min: 1, max: longest }), unit, fc.string({ maxLength: 20 }))
    .map(([length, repeated, start]) => `-${start}${repeated.repeat(length)}`.slice(0, longest))
}

const alias = (prefix: string) =>
  fc
    .tuple(fc.nat(999), fc.integer({ min: 1, max: 56 }))
    .map(([number, length]) => `${prefix}${number}${'a'.repeat(length)}`.slice(0, 64))
const url = fc
  .tuple(fc.integer({ min: 0, max: 8_000 }), fc.constantFrom('&', 'a', '%3C'))
  .map(([length, unit]) => `https://media.example/a.avi?${unit.repeat(length)}`.slice(0, 8_192))
const files = (prefix: string, value: fc.Arbitrary<string>) =>
  fc.dictionary(alias(prefix), value, { minKeys: 1, maxKeys: 200, noNullPrototype: true })
const short = fc.constantFrom('http://a', 'https://media.example/a.mp4')
const name = fc.integer({ min: 1, max: 200 }).map((length) => 'a'.repeat(length))
/** Near the bound of whole requests, with as many aliases as it allows. */
const smallBody = fc.record({
  ffmpeg_commands: fc.array(textOf(500, '<a'), { minLength: 1, maxLength: 2 }),
  input_files: fc.dictionary(alias('in_'), short, { maxKeys: 80, noNullPrototype: true }),
  output_files: fc.dictionary(alias('out_'), fc.constant('a'), {
    minKeys: 1,
    maxKeys: 80,
    noNullPrototype: true,
  }),
})
const largeBody = fc.record({
  ffmpeg_commands: fc.array(textOf(20_000, '<a&\u2028\u{1f600}'), { minLength: 1, maxLength: 10 }),
  input_files: fc.oneof(files('in_', url), files('in_', short)),
  output_files: files('out_', name),
})
const body = fc.oneof(smallBody, largeBody)
const owner = fc.record({
  accountName: name.map((text) => text.slice(0, 63)),
  environmentName: fc.option(textOf(512, '&a\u2028')),
  vcpuCount: fc.integer({ min: 1, max: 1_024 }),
  maxRunSeconds: fc.double({ min: 0.1, max: 86_400, noNaN: true }),
  isPrivate: fc.boolean(),
})

describe('the custom resource of a request', () => {
  it('takes at most 24 KiB in the cluster for any body that the schema accepts', () => {
    const figures = { inline: 0, reference: 0, largest: 0, largestWhole: 0 }
    fc.assert(
      fc.property(body, owner, (request, columns) => {
        const accepted = check({ path: {}, query: {}, body: request })
        expect(accepted.ok, JSON.stringify(accepted).slice(0, 300)).to.equal(true)
        const row: ResourceSource = {
          ...columns,
          dispatchKey: 'secret',
          commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
          priority: 'normal',
          source: {
            commands: request.ffmpeg_commands,
            inputFiles: request.input_files,
            inputCompressedFolder: null,
            outputFiles: request.output_files,
          },
        }
        const whole = customResourceFor(row)
        const small = isSmall(whole)
        const made = small ? whole : referringResourceFor(row)
        expect(storedBytes(made)).to.be.at.most(largestCreatedBytes)
        const bytes = storedBytes(inTheCluster(made)) + largestStatusBytes
        expect(bytes).to.be.at.most(largestCommandBytes)
        figures[small ? 'inline' : 'reference'] += 1
        figures.largest = Math.max(figures.largest, bytes)
        figures.largestWhole = Math.max(figures.largestWhole, storedBytes(whole))
      }),
      { numRuns: 400, seed: 5 },
    )
    console.log(
      `      ${figures.inline} whole requests, ${figures.reference} references; largest custom resource ` +
        `with a status of 8 KiB: ${figures.largest} bytes, of requests up to ${figures.largestWhole} bytes`,
    )
    expect(Math.min(figures.inline, figures.reference)).to.be.above(10)
  })
})

/** With what kube-apiserver adds: identity, and the fields of each of four managers. */
function inTheCluster(made: {
  readonly metadata: { readonly labels: object; readonly finalizers: string[] }
  readonly spec: FfmpegCommandSpec
}): object {
  const { metadata, spec } = made
  const conditions = Object.fromEntries(
    [
      'Admitted',
      'Running',
      'Complete',
      'Failed',
      'Finished',
      'Recorded',
      'Reconciling',
      'Stalled',
    ].map((type) => [
      `k:{"type":"${type}"}`,
      {
        '.': {},
        'f:lastTransitionTime': {},
        'f:message': {},
        'f:observedGeneration': {},
        'f:reason': {},
        'f:status': {},
        'f:type': {},
      },
    ]),
  )
  const entry = (manager: string, fieldsV1: object, subresource?: string) => ({
    apiVersion: 'cloudffmpeg.dev/v1alpha1',
    fieldsType: 'FieldsV1',
    fieldsV1,
    manager,
    operation: 'Update',
    time: '2026-05-01T10:00:00Z',
    subresource,
  })
  const finalizers = {
    '.': {},
    ...Object.fromEntries(metadata.finalizers.map((it) => [`v:"${it}"`, {}])),
  }
  return {
    ...made,
    metadata: {
      ...metadata,
      creationTimestamp: '2026-05-01T10:00:00Z',
      deletionTimestamp: '2026-05-01T10:00:00Z',
      deletionGracePeriodSeconds: 0,
      generation: 1_000,
      namespace: 'a'.repeat(63),
      resourceVersion: '18446744073709551615',
      uid: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
      managedFields: [
        entry('a'.repeat(40), {
          'f:metadata': {
            'f:finalizers': finalizers,
            'f:labels': fieldsOf(metadata.labels),
          },
          'f:spec': fieldsOf(spec),
        }),
        entry('a'.repeat(40), { 'f:metadata': { 'f:finalizers': finalizers } }),
        entry('a'.repeat(40), { 'f:spec': { 'f:cancel': {} } }),
        entry(
          'a'.repeat(40),
          { 'f:status': { ...statusFields, 'f:conditions': { '.': {}, ...conditions } } },
          'status',
        ),
      ],
    },
  }
}

/** Maps are owned key by key, lists as a whole. */
function fieldsOf(value: object): object {
  return {
    '.': {},
    ...Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => [
        `f:${key}`,
        typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? fieldsOf(inner) : {},
      ]),
    ),
  }
}

const statusFields = fieldsOf({
  observedGeneration: 1,
  state: '',
  stage: '',
  reason: '',
  message: '',
  progressPercent: 1,
  steps: [],
  attempt: '',
  attempts: 1,
  jobName: '',
  queuePosition: 1,
  queuedAt: '',
  startedAt: '',
  finishedAt: '',
  startAllowanceSeconds: 1,
  podDeadlineSeconds: 1,
  jobDeadlineSeconds: 1,
  errorStatus: '',
  errorMessage: '',
  outputs: { count: 1, bytes: 1, firstUrl: '', files: [], more: 1 },
})
