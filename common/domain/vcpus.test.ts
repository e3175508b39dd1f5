import { expect } from 'chai'
import { vcpusOf } from './vcpus.ts'

describe('vcpusOf', () => {
  it('the number of vCPUs is that of the command, and one for a stored file, which has 0', () => {
    expect([vcpusOf({ vcpuCount: 4 }), vcpusOf({ vcpuCount: 0 })]).to.deep.equal([4, 1])
  })
})
