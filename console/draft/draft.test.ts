import { expect } from 'chai'
import {
  draftFrom,
  emptyDraft,
  freeAlias,
  missingFiles,
  repeatedAliases,
  requestOf,
} from './draft.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'
import type { Draft } from './draft.ts'

const request: OriginalRequest = {
  ffmpeg_command: '-i {{in_1}} -vf scale=-2:480 {{out_1}}',
  input_files: { in_1: 'https://media.example/a.mov' },
  input_compressed_folder: null,
  output_files: { out_1: 'a.mp4' },
  max_command_run_seconds: 60.5,
  vcpu_count: 4,
  metadata: { order: 17, note: 'a' },
  is_private: true,
  priority: 'high',
  output_ttl_seconds: 3_600,
  webhook_url: 'https://app.example/hook',
}

describe('drafts', () => {
  const given = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))

  it('are made from a request, and make the same again', () => {
    expect(requestOf(draftFrom(request))).to.deep.equal(given(request))
    const folder: OriginalRequest = {
      ...request,
      input_files: null,
      input_compressed_folder: 'https://media.example/a.zip',
      output_files: 'OUTPUT_FOLDER',
    }
    expect(requestOf(draftFrom(folder))).to.deep.equal(given(folder))
    const { ffmpeg_command: first, input_compressed_folder: _, ...rest } = request
    const chain: OriginalRequest = {
      ...rest,
      input_files: request.input_files ?? {},
      output_files: { out_1: 'a.mp4', out_2: 'b.png' },
      ffmpeg_commands: [first, '-i {{out_1}} {{out_2}}'],
    }
    expect(requestOf(draftFrom(chain))).to.deep.equal(given(chain))
  })

  it('send numbers as numbers, and what is none as it was typed', () => {
    const options = { ...emptyDraft.options, vcpus: ' 4 ', seconds: '1.5', ttl: 'soon' }
    expect(requestOf({ ...emptyDraft, options })).to.include({
      ...{ vcpu_count: 4, max_command_run_seconds: 1.5, output_ttl_seconds: 'soon' },
    })
  })

  it('leave out an input without a file that no command names', () => {
    const generated: Draft = { ...emptyDraft, commands: ['-f lavfi -i testsrc2 {{out_1}}'] }
    expect(requestOf(generated)).to.deep.include({ input_files: {} })
    expect(missingFiles(generated)).to.deep.equal([])
    const reading: Draft = { ...emptyDraft, commands: ['-i {{in_1}} {{out_1}}'] }
    expect(requestOf(reading)).to.deep.include({ input_files: { in_1: '' } })
    expect(missingFiles(reading)).to.deep.equal(['in_1'])
    expect(missingFiles({ ...reading, zip: '' })).to.deep.equal(['the zip archive'])
  })

  it('name new aliases, and those that stand there twice', () => {
    expect(freeAlias('in_', ['in_1', 'in_3'])).to.equal('in_2')
    const twice = [...emptyDraft.inputs, ...emptyDraft.inputs]
    expect(repeatedAliases({ ...emptyDraft, inputs: twice })).to.deep.equal(['in_1'])
  })
})
