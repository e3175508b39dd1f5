import { expect } from 'chai'
import fc from 'fast-check'
import { storedBytes } from '../../../common/kubernetes/stored-bytes.ts'
import type { CommandSource } from '../../../common/command-line/model/command-source.ts'
import { requestPreview } from './request-preview.ts'

const source: CommandSource = {
  commands: ['-i {{in_1}} -vf "drawtext=text=\'a<b\'" {{out_1}}'],
  inputFiles: {
    in_1: 'https://user:secret@media.example:8443/tenants/7/token/film.mkv?X-Amz-Signature=abc',
    in_2: 'https://media.example/a.mp4',
  },
  inputCompressedFolder: null,
  outputFiles: { out_1: 'small.mp4' },
}

describe('requestPreview', () => {
  it('shows commands, the place of each input without its query and user, and the outputs', () => {
    expect(requestPreview(source)).to.deep.equal({
      commands: ["-i {{in_1}} -vf …drawtext=text='a…b'… {{out_1}}"],
      inputs: ['in_1 media.example:8443/…/film.mkv', 'in_2 media.example/a.mp4'],
      outputs: ['out_1 small.mp4'],
    })
  })

  it('shows a zip archive and an output folder', () => {
    const inputCompressedFolder = 'https://media.example/a/b.zip?token=1'
    const folder = { ...source, inputFiles: null, inputCompressedFolder, outputFiles: null }
    expect(requestPreview(folder)).to.deep.include({
      inputs: ['inputCompressedFolder media.example/…/b.zip'],
      outputs: ['OUTPUT_FOLDER'],
    })
  })

  it('leaves out the query and user of a URL in the text of a command', () => {
    const commands = [
      '-metadata url=https://user:pw@media.example/a?token=secret&b=c -an {{out_1}}',
    ]
    expect(requestPreview({ ...source, commands }).commands).to.deep.equal([
      '-metadata url=https://media.example/a?… -an {{out_1}}',
    ])
  })

  it('a preview is printable text of at most 3,072 bytes in the cluster for any request', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc.integer({ min: 0, max: 1_000 }).map((length) => 'a<'.repeat(length)),
    )
    const files = fc.dictionary(text, text, { maxKeys: 12 })
    const request: fc.Arbitrary<CommandSource> = fc.record({
      commands: fc.array(text, { maxLength: 12 }),
      inputFiles: fc.option(files),
      inputCompressedFolder: text,
      outputFiles: fc.option(files),
    })
    let largest = 0
    fc.assert(
      fc.property(request, (any) => {
        const preview = requestPreview(any)
        largest = Math.max(largest, storedBytes(preview))
        expect(storedBytes(preview)).to.be.at.most(3_072)
        for (const shown of Object.values(preview).flat()) {
          expect(shown).to.match(/^(?:[ -~]|…)*$/)
          expect(shown).to.not.match(/[<>&"\\]/)
        }
      }),
      { numRuns: 500, seed: 3 },
    )
    console.log(`      largest preview: ${largest} bytes`)
  })
})
