import { expect } from 'chai'
import { planWith } from '../../testing/support/plans.ts'
import type { InlineSpec } from '../../common/kubernetes/resources/spec-form.ts'
import type { StoredFileSpec } from '../../crds/storedfile.ts'
import { importedCommand, importedFile } from './import-submission.ts'

const plan = planWith({
  maxFileMbytes: 1024,
  chained: false,
  uploads: false,
  private: false,
  webhooks: false,
})
const account = {
  accountId: 'a',
  name: 'acme',
  plan: 'free',
  suspended: false,
  limits: {},
  defaultOutputTtlSeconds: null,
}
const guarded = ['https://cdn.example']
const spec: InlineSpec = {
  commands: ['-i {{in_1}} {{out_1}}'],
  inputFiles: { in_1: ' https://media.example/a.mp4' },
  outputFiles: { out_1: 'small.mp4' },
}

function refusal(changes: Partial<InlineSpec>, who = account): string | null {
  const measured = { spec: { ...spec, ...changes }, objectBytes: 1_000, guarded }
  return importedCommand('id', measured, who, plan).refusal
}

describe('importedCommand', () => {
  it('returns a command as the REST API makes it, with its limits lowered to the plan', () => {
    const measured = { spec, objectBytes: 262_144, guarded }
    const { command, refusal: refused } = importedCommand('id', measured, account, plan)
    expect(refused).to.equal(null)
    expect(command).to.deep.include({ commandId: 'id', vcpuCount: 4, maxRunSeconds: 60 })
    expect(command.source.inputFiles).to.deep.equal({ in_1: 'https://media.example/a.mp4' })
    expect(command.originalRequest).to.deep.include({
      ffmpeg_command: '-i {{in_1}} {{out_1}}',
      vcpu_count: 4,
      max_command_run_seconds: 60,
    })
  })

  it('takes the priority of the spec, and normal where it has none', () => {
    const priorityOf = (changes: Partial<InlineSpec>) =>
      importedCommand(
        'id',
        { spec: { ...spec, ...changes }, objectBytes: 1_000, guarded },
        account,
        plan,
      ).command.priority
    expect([priorityOf({}), priorityOf({ priority: 'high' })]).to.deep.equal(['normal', 'high'])
  })

  it('returns the refusal of the REST API when a command is invalid', () => {
    expect(refusal({ commands: ['-i {{in_2}} {{out_1}}'] })).to.equal(
      "Unknown alias 'in_2' in '{{in_2}}' at character 4; declared: in_1, out_1",
    )
  })

  it('refuses an object with its size when it takes more than 256 KB in the cluster', () => {
    const measured = { spec, objectBytes: 308_000, guarded }
    expect(importedCommand('id', measured, account, plan).refusal).to.equal(
      'The object takes 301 KB in the cluster, at most 256 KB; the REST API takes 512 KB: use it, or shorter URLs, or split the work over several objects',
    )
  })

  it('refuses a command when the plan does not include what it needs', () => {
    expect(refusal({ private: true })).to.equal("Plan 'free' does not include private files")
    expect(refusal({ commands: ['a', 'b'] })).to.equal(
      "Plan 'free' does not include chained commands",
    )
    expect(refusal({}, { ...account, suspended: true })).to.equal(
      'The account is suspended; ask the administrator to resume it',
    )
  })

  it('refuses a command when its addresses or names are invalid in ways that the CRD cannot check', () => {
    expect(refusal({ inputFiles: { in_1: 'ftp://media.example/a' } })).to.match(/http or https/)
    expect(refusal({ inputFiles: { in_1: 'https://u:p@media.example/a' } })).to.match(/password/)
    expect(refusal({ outputFiles: { out_1: 'a.m3u8' } })).to.match(/playlist/)
    expect(refusal({ outputFiles: { out_1: 'a.mp4', out_2: 'a.mp4' } })).to.match(/taken by out_1/)
  })
})

const fileSpec: StoredFileSpec = { source: { url: 'https://media.example/clip.mov' } }

function fileRefusal(changes: Partial<StoredFileSpec>, of = account): string | null {
  const imported = importedFile('id', { spec: { ...fileSpec, ...changes }, guarded }, of, plan)
  return 'refusal' in imported ? imported.refusal : null
}

describe('a stored file applied with kubectl', () => {
  it('returns a stored file for its account', () => {
    expect(
      importedFile(
        'id',
        { spec: { ...fileSpec, environmentName: 'test' }, guarded },
        account,
        plan,
      ),
    ).to.deep.equal({
      file: {
        fileId: 'id',
        accountId: 'a',
        environmentName: 'test',
        url: 'https://media.example/clip.mov',
        isPrivate: false,
        keepDays: null,
      },
    })
  })

  it('refuses a stored file when the REST API would refuse it', () => {
    expect(fileRefusal({ private: true })).to.include('private')
    expect(fileRefusal({}, { ...account, suspended: true })).to.include('suspended')
    expect(fileRefusal({ source: { url: 'https://user:secret@media.example/a.mp4' } })).to.include(
      'user name',
    )
    expect(fileRefusal({ source: { upload: { key: 'public/b/c', name: 'c' } } })).to.include(
      'upload',
    )
  })
})
