import { expect } from 'chai'
import { uploadDetail } from './upload-inputs.ts'

describe('the progress of an upload', () => {
  const mebibyte = 1_048_576

  it('the progress of an upload has the speed and the time that is left once they are known', () => {
    const total = 100 * mebibyte
    expect(uploadDetail(0, total, null)).to.equal('0 % of 100 MB')
    expect(uploadDetail(20 * mebibyte, total, 2 * mebibyte)).to.equal(
      '20 % of 100 MB, 2.00 MB/s, about 40 s left',
    )
    expect(uploadDetail(20 * mebibyte, total, 0)).to.equal('20 % of 100 MB')
  })
})
