import { expect } from 'chai'
import { customResourceFor } from './to-custom-resource.ts'
import { isSameCommand } from './same-command.ts'
import type { UndispatchedCommand } from '../../common/store/dispatch.ts'

const row: UndispatchedCommand = {
  commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
  accountId: '0197a0c2-0000-7000-8000-000000000001',
  accountName: 'default',
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
  priority: 'low',
  webhookUrl: null,
  round: 0,
  tries: 0,
}

describe('customResourceFor', () => {
  it('has the spec of the row, under a name derived from the id', () => {
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

  it('has inputs or a zip archive, and named outputs or a folder', () => {
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

describe('isSameCommand', () => {
  const { spec } = customResourceFor(row)

  it('recognises its own object with its keys in any order', () => {
    const inputFiles = { in_2: 'https://media.example/b.avi', in_1: 'https://media.example/a.avi' }
    expect(isSameCommand(spec, { ...spec, inputFiles, cancel: true })).to.equal(true)
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
    it(`is not deceived by ${title}`, () => {
      expect(isSameCommand(spec, { ...spec, ...change })).to.equal(false)
    })
  }
})
