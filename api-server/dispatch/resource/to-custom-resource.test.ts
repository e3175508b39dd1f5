import { expect } from 'chai'
import { storedBytes } from '../../../common/kubernetes/stored-bytes.ts'
import { dispatchMark } from '../../../common/kubernetes/origin/dispatch-mark.ts'
import { requestDigest } from '../../../common/kubernetes/request-digest.ts'
import { customResourceFor, isSmall, referringResourceFor } from './to-custom-resource.ts'
import { isSameCommand } from './same-command.ts'
import type { UndispatchedCommand } from '../../../common/store/dispatch.ts'

const row: UndispatchedCommand = {
  commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
  accountId: '0197a0c2-0000-7000-8000-000000000001',
  accountName: 'default',
  dispatchKey: 'secret',
  environmentName: 'staging',
  commandType: 'FFMPEG_COMMAND',
  source: {
    commands: ['-i {{in_1}} {{out_1}}'],
    inputFiles: { in_1: 'https://media.example/a.avi', in_2: 'https://media.example/b.avi' },
    inputCompressedFolder: null,
    outputFiles: { out_1: 'a.mp4' },
  },
  originalRequest: {},
  metadata: null,
  vcpuCount: 4,
  maxRunSeconds: 0.5,
  isPrivate: true,
  outputTtlSeconds: null,
  presignedTtlSeconds: null,
  priority: 'low',
  webhookUrl: null,
  jobGeneration: 0,
  tries: 0,
}

describe('customResourceFor', () => {
  it('the custom resource has the spec of the row, under a name derived from the id', () => {
    const { spec } = customResourceFor(row)
    expect(customResourceFor(row)).to.deep.equal({
      apiVersion: 'cloudffmpeg.dev/v1alpha1',
      kind: 'FfmpegCommand',
      metadata: {
        name: 'ffc-0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
        labels: {
          'cloudffmpeg.dev/command-id': '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
          'cloudffmpeg.dev/account': 'default',
          'app.kubernetes.io/managed-by': 'cloud-ffmpeg',
        },
        annotations: { 'cloudffmpeg.dev/mark': dispatchMark('secret', spec) },
        finalizers: ['cloudffmpeg.dev/record'],
      },
      spec: {
        commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
        account: 'default',
        environmentName: 'staging',
        commands: ['-i {{in_1}} {{out_1}}'],
        inputFiles: { in_1: 'https://media.example/a.avi', in_2: 'https://media.example/b.avi' },
        outputFiles: { out_1: 'a.mp4' },
        vcpuCount: 4,
        maxRunSeconds: 0.5,
        private: true,
        priority: 'low',
      },
    })
  })

  it('the custom resource has inputs or a zip archive, and named outputs or a folder', () => {
    const zip = 'https://media.example/a.zip'
    const nothing = { inputFiles: null, outputFiles: null }
    const source = { ...nothing, commands: ['-i a b'], inputCompressedFolder: zip }
    const { spec } = customResourceFor({ ...row, environmentName: null, source })
    expect(spec).to.have.all.keys(
      ['commandId', 'account', 'commands', 'inputCompressedFolder', 'outputFolder'].concat([
        'vcpuCount',
        'maxRunSeconds',
        'private',
        'priority',
      ]),
    )
    expect(spec).to.include({ inputCompressedFolder: zip, outputFolder: true })
  })
})

/** A command whose text has that many characters. */
function withText(length: number): UndispatchedCommand {
  return { ...row, source: { ...row.source, commands: ['a'.repeat(length)] } }
}

describe('isSmall', () => {
  it('isSmall holds up to a spec of 8,192 bytes, the aliases in managedFields included', () => {
    const managed = ['in_1', 'in_2', 'out_1'].reduce((sum, alias) => sum + alias.length + 8, 0)
    const room = 8_192 - managed - storedBytes(customResourceFor(withText(0)).spec)
    expect(isSmall(customResourceFor(withText(room)))).to.equal(true)
    expect(isSmall(customResourceFor(withText(room + 1)))).to.equal(false)
  })
})

describe('referringResourceFor', () => {
  const { metadata, spec } = referringResourceFor(row)

  it('a referring resource has the name of the row, a digest of its request and a preview in place of the request', () => {
    expect(metadata).to.deep.equal(customResourceFor(row).metadata)
    expect(spec).to.deep.equal({
      commandId: row.commandId,
      account: 'default',
      environmentName: 'staging',
      request: { ...requestDigest(row.source), commands: 1, inputs: 2, outputs: 1 },
      preview: {
        commands: ['-i {{in_1}} {{out_1}}'],
        inputs: ['in_1 media.example/a.avi', 'in_2 media.example/b.avi'],
        outputs: ['out_1 a.mp4'],
      },
      vcpuCount: 4,
      maxRunSeconds: 0.5,
      private: true,
      priority: 'low',
    })
    expect(spec.request.sha256).to.match(/^[0-9a-f]{64}$/)
  })

  it('a referring resource has the same digest for any order of aliases and another for another request', () => {
    const { in_1 = '', in_2 = '' } = row.source.inputFiles ?? {}
    const reordered = { ...row, source: { ...row.source, inputFiles: { in_2, in_1 } } }
    expect(referringResourceFor(reordered).spec.request).to.deep.equal(spec.request)
    const swapped = { ...row, source: { ...row.source, inputFiles: { in_1: in_2, in_2: in_1 } } }
    expect(referringResourceFor(swapped).spec.request.sha256).to.not.equal(spec.request.sha256)
  })
})

describe('isSameCommand', () => {
  const { spec } = customResourceFor(row)
  const { spec: referring } = referringResourceFor(row)

  it('recognises its own object with its keys in any order', () => {
    const inputFiles = { in_2: 'https://media.example/b.avi', in_1: 'https://media.example/a.avi' }
    expect(isSameCommand(row, { ...spec, inputFiles, cancel: true })).to.equal(true)
  })

  it('recognises its own object in either form and with another preview', () => {
    expect(isSameCommand(row, referring)).to.equal(true)
    expect(isSameCommand(row, { ...referring, preview: {}, cancel: true })).to.equal(true)
  })

  const others: [string, object][] = [
    ['another text', { commands: ['-i {{in_1}} -an {{out_1}}'] }],
    ['another account', { account: 'other' }],
    ['another input', { inputFiles: { in_1: 'https://evil.example/a.avi' } }],
    ['more inputs', { inputFiles: { ...spec.inputFiles, in_3: 'https://media.example/c.avi' } }],
    ['more vCPUs', { vcpuCount: 8 }],
    ['public outputs', { private: false }],
    ['no id', { commandId: undefined }],
  ]
  for (const [title, change] of others) {
    it(`finds another command in spite of ${title}`, () => {
      expect(isSameCommand(row, { ...spec, ...change })).to.equal(false)
    })
  }

  for (const [title, change] of [
    [
      'the digest of another request',
      { request: { ...referring.request, sha256: '0'.repeat(64) } },
    ],
    ['more vCPUs', { vcpuCount: 8 }],
    ['commands beside the digest', { commands: spec.commands }],
  ] as const) {
    it(`the comparison of commands is not deceived by ${title} in an object that refers to its request`, () => {
      expect(isSameCommand(row, { ...referring, ...change })).to.equal(false)
    })
  }
})
