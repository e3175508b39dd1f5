import { signal } from '@preact/signals'
import { expect } from 'chai'
import { aFile } from '../shell/samples.fixture.ts'
import { aDraft, anInput, aStoredFile } from './any-draft.fixture.ts'
import { missingFiles } from './draft.ts'
import { inputMbytes, sizeChange, uploadingNames, withUploads } from './input-files.ts'
import type { UploadState } from '../uploads/upload.ts'

const given = { url: 'https://media.example/a.mov', file: aStoredFile() }
const draftOf = (...inputs: Parameters<typeof anInput>[0][]) =>
  aDraft({ inputs: inputs.map((one) => anInput(one)) })

describe('withUploads', () => {
  const file = aStoredFile({ upload: 'u1', mbytes: null })
  const draft = draftOf({ file }, { alias: 'in_2', ...given })
  const upload = (id: string, state: UploadState) => ({ id, state: signal(state) })
  const stored = aFile({ storage_url: 'https://s3.example/film.mov', size_mbytes: 7 })

  it('withUploads gives an input the URL and the size of its upload once that has ended', () => {
    const after = withUploads(draft, [upload('u1', { kind: 'done', file: stored })])
    expect(after.inputs).to.deep.equal([
      anInput({ url: 'https://s3.example/film.mov', file: aStoredFile({ mbytes: 7 }) }),
      draft.inputs[1],
    ])
    expect(uploadingNames(after)).to.deep.equal([])
  })

  it('withUploads returns the same draft while the upload goes on, so that nothing is checked again', () => {
    const going: UploadState[] = [
      { kind: 'waiting' },
      { kind: 'sending', retry: null },
      { kind: 'paused' },
      { kind: 'interrupted' },
      { kind: 'failed', problem: new Error('x') },
    ]
    for (const state of going) {
      expect(withUploads(draft, [upload('u1', state)]), state.kind).to.equal(draft)
    }
    const other = upload('u2', { kind: 'done', file: stored })
    expect(withUploads(draft, [other]), 'an upload of no input').to.equal(draft)
  })

  it('withUploads leaves an input without a file when the service has deleted its upload', () => {
    const gone = aFile({ storage_url: null, is_deleted: true })
    const after = withUploads({ ...draft, commands: ['-i {{in_1}} {{out_1}}'] }, [
      upload('u1', { kind: 'done', file: gone }),
    ])
    expect(missingFiles(after)).to.deep.equal(['in_1'])
  })

  it('uploadingNames returns the files that are uploaded, in the order of the inputs', () => {
    const names = draftOf(
      { file: aStoredFile({ name: 'b.mov', upload: 'u2' }) },
      { file: aStoredFile({ name: 'stored.mov' }) },
      { file: aStoredFile({ name: 'a.mov', upload: 'u1' }) },
    )
    expect(uploadingNames(names)).to.deep.equal(['b.mov', 'a.mov'])
  })
})

describe('the size of outputs beside their inputs', () => {
  it('inputMbytes adds up the inputs, and returns null when the size of one is not known', () => {
    const sized = (mbytes: number | null) => ({ file: aStoredFile({ mbytes }) })
    expect(inputMbytes(draftOf(sized(2), sized(0.5)))).to.equal(2.5)
    expect(inputMbytes(draftOf(sized(2), sized(null), sized(1)))).to.equal(null)
    expect(inputMbytes(draftOf({ url: 'https://media.example/a' }))).to.equal(null)
    expect(inputMbytes(draftOf())).to.equal(0)
  })

  it('sizeChange says how much smaller or larger an output is, in whole percent', () => {
    expect(sizeChange(2, 8)).to.equal('75 % smaller than the inputs')
    expect(sizeChange(9, 8)).to.equal('13 % larger than the inputs')
    expect(sizeChange(8.03, 8)).to.equal('As large as the inputs')
  })

  it('sizeChange returns null when a size is not known or nothing was read', () => {
    expect([sizeChange(null, 8), sizeChange(2, null), sizeChange(2, 0)]).to.deep.equal([
      null,
      null,
      null,
    ])
  })
})
