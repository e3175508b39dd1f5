import { expect } from 'chai'
import { largePicture } from './large-picture.ts'

const tail =
  '[png @ 0x55d0] [IMGUTILS @ 0x7ffd] Picture size 12000x9000 exceeds specified max pixel count 67108864\nError opening input'

describe('a picture that is larger than FFmpeg may decode', () => {
  it('a picture that is too large is named with its size, the limit and the way out', () => {
    expect(largePicture(tail, ['in_1'])).to.equal(
      'in_1 has 12000 x 9000 pixels (108 million); one picture may have 67 million here: send a smaller one, or a higher vcpu_count, whose memory carries more',
    )
  })

  it('a picture that is too large has no alias where it could be any of several', () => {
    expect(largePicture(tail, ['in_1', 'in_2'])).to.match(/^a picture has 12000 x 9000 pixels/)
  })

  it('a picture is named as well where FFmpeg itself takes none of its size', () => {
    expect(largePicture('Picture size 20000x20000 is invalid', ['in_1'])).to.match(
      /^in_1 has 20000 x 20000 pixels \(400 million\); one picture may have 268 million here/,
    )
  })

  it('a picture that is too large is found by its own message of FFmpeg alone', () => {
    expect(largePicture('Picture size 0x0 is invalid', ['in_1'])).to.equal(null)
  })
})
