import { expect } from 'chai'
import { parseAssignment } from './parse-assignment.ts'

const earlier = {
  commandId: 'c',
  commands: ['-i {{in_1}} {{out_1}}'],
  inputs: [{ alias: 'in_1', url: 'https://media.example/a.mp4', stored: null }],
  inputFolder: null,
  outputs: { out_1: 'o.mp4' },
  vcpuCount: 2,
  maxRunSeconds: 300,
  limits: {
    fileBytes: null,
    scratchBytes: 1,
    fileCount: 1,
    maxPixels: 1,
    transferSeconds: 1,
  },
  file: null,
  network: { allowCidrs: [], denyCidrs: [], denyEndpoints: [] },
}

describe('an assignment', () => {
  it('returns which outputs may be uploaded while FFmpeg runs', () => {
    const overlap = { inputs: true, outputs: false }
    expect(parseAssignment({ ...earlier, overlap }).overlap).to.deep.equal(overlap)
  })

  it('returns no such output when the operator is older', () => {
    expect(parseAssignment(earlier).overlap).to.deep.equal({ inputs: false, outputs: false })
  })

  it('an assignment is refused by the name of the field that is wrong', () => {
    expect(() => parseAssignment({ ...earlier, overlap: { inputs: 1, outputs: true } })).to.throw(
      "assignment.overlap: 'inputs'",
    )
  })
})
