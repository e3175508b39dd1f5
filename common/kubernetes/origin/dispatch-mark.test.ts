import { expect } from 'chai'
import { dispatchMark, isDispatched } from './dispatch-mark.ts'
import { markAnnotation } from '../../domain/resource-names.ts'
import { requestDigest } from '../request-digest.ts'
import type { FfmpegCommandSpec } from '../../../crds/ffmpegcommand.ts'
import type { StoredFileSpec } from '../../../crds/storedfile.ts'

const command = {
  commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e01',
  account: 'acme',
  commands: ['-i {{in_1}} {{out_1}}'],
  inputFiles: { in_1: 'https://media.example/a.mp4', in_2: 'https://media.example/b.mp4' },
  outputFiles: { out_1: 'b.mp4' },
  vcpuCount: 2,
  maxRunSeconds: 0.5,
  private: true,
} satisfies FfmpegCommandSpec
const file = {
  fileId: command.commandId,
  account: 'acme',
  source: { url: 'https://media.example/a.mp4' },
  private: true,
} satisfies StoredFileSpec

const holds = (spec: FfmpegCommandSpec | StoredFileSpec, mark: string, key = 'secret') =>
  isDispatched(key, {
    metadata: {
      name: 'n',
      uid: 'u',
      resourceVersion: '1',
      annotations: { [markAnnotation]: mark },
    },
    spec,
  })

describe('the mark of a dispatched object', () => {
  it('the mark holds for the object that it was made for, as etcd gives it back', () => {
    const { in_1, in_2 } = command.inputFiles
    const reordered = { ...command, inputFiles: { in_2, in_1 }, cancel: true, priority: 'normal' }
    expect(holds(reordered as FfmpegCommandSpec, dispatchMark('secret', command))).to.equal(true)
    expect(holds(file, dispatchMark('secret', file))).to.equal(true)
  })

  it('the mark is the same for a command that refers to its request', () => {
    const { commands, inputFiles, outputFiles, ...rest } = command
    const source = { commands, inputFiles, inputCompressedFolder: null, outputFiles }
    const referring = { ...rest, request: requestDigest(source) }
    expect(dispatchMark('secret', referring)).to.equal(dispatchMark('secret', command))
  })

  const copies: [string, FfmpegCommandSpec | StoredFileSpec][] = [
    ['another id', { ...command, commandId: '0197a3f1-6c1e-7b52-9a51-2f5f0c9d1e02' }],
    ['another account', { ...command, account: 'umbrella' }],
    ['another command', { ...command, commands: ['-i {{in_2}} {{out_1}}'] }],
    ['another input', { ...command, inputFiles: { in_1: 'https://evil.example/a.mp4' } }],
    ['a public output', { ...command, private: false }],
    ['more vCPUs', { ...command, vcpuCount: 8 }],
    ['a longer run', { ...command, maxRunSeconds: 600 }],
    ['another kind', file],
  ]
  for (const [what, spec] of copies) {
    it(`the mark does not hold on an object with ${what}`, () => {
      expect(holds(spec, dispatchMark('secret', command))).to.equal(false)
    })
  }

  it('the mark does not hold without the key of the database, or where there is none', () => {
    expect(holds(command, dispatchMark('other', command))).to.equal(false)
    expect(holds(command, '')).to.equal(false)
    const metadata = { name: 'n', uid: 'u', resourceVersion: '1' }
    expect(isDispatched('secret', { metadata, spec: command })).to.equal(false)
  })

  it('the mark of a stored file covers its source and who may see it', () => {
    const mark = dispatchMark('secret', file)
    const upload = { key: 'private/other/key', name: 'key' }
    expect(holds({ ...file, source: { url: 'https://media.example/b.mp4' } }, mark)).to.equal(false)
    expect(holds({ ...file, source: { upload } }, mark)).to.equal(false)
    expect(holds({ ...file, private: false }, mark)).to.equal(false)
  })
})
