import { expect } from 'chai'
import { aFile } from '../shell/samples.fixture.ts'
import { outputsOf } from './output-name.ts'
import type { OriginalRequest } from '../../common/openapi/openapi-types.ts'

describe('outputsOf', () => {
  const [first, second, tenth] = [aFile(), aFile({ storage_url: null }), aFile()]
  const output_files = { out_10: tenth, out_2: second, out_1: first }
  const request = (outputs: unknown) => ({ output_files: outputs }) as unknown as OriginalRequest

  it('outputsOf returns outputs in the order of their numbers, with the names of the request', () => {
    const original_request = request({ out_1: 'a.mp4', out_2: 'b.png' })
    expect(outputsOf({ output_files, original_request })).to.deep.equal([
      { alias: 'out_1', file: first, name: 'a.mp4' },
      { alias: 'out_2', file: second, name: 'b.png' },
      { alias: 'out_10', file: tenth, name: 'out_10' },
    ])
  })

  it('outputsOf returns aliases in place of names when the request was deleted or wanted a zip', () => {
    for (const original_request of [null, request('OUTPUT_FOLDER')]) {
      const [output] = outputsOf({ output_files, original_request })
      expect(output?.name).to.equal('out_1')
    }
    expect(outputsOf({ output_files: null, original_request: null })).to.deep.equal([])
  })
})
