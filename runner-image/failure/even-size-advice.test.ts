import { expect } from 'chai'
import { withEvenSize } from './even-size-advice.ts'

const start = 'both sides must be even: '

describe('an encoder’s complaint of an odd side', () => {
  const x264 = (size: string): string => `[libx264] height not divisible by 2 (${size})`

  for (const [filters, size, advised] of [
    ['-vf scale=321:-1', '321x241', 'write scale=320:-2'],
    ['-vf scale=320:-1', '320x181', 'write scale=320:-2'],
    ['-vf "hflip,scale=-1:241"', '429x241', 'write scale=-2:240'],
    ['-vf scale=w=321:h=240', '321x240', 'write scale=w=320:h=240'],
    ['-vf scale=320:-1:flags=lanczos', '320x181', 'write scale=320:-2'],
    ['-vf crop=101:101', '101x101', 'write crop=100:100'],
    ['-s 321x240', '321x240', 'write -s 320x240'],
    ['', '127x95', 'end the filters with scale=126:-2'],
    ['', '127x96', 'end the filters with scale=-2:96'],
    ['', '128x95', 'end the filters with scale=128:-2'],
    ['-vf scale=iw/3:-1', '213x160', 'end the filters with scale=-2:160'],
    ['-vf scale=640:-2,crop=iw/3:ih', '213x160', 'end the filters with scale=-2:160'],
    ['-vf scale=101:50 -map 0 x -vf scale=101:51', '101x51', 'write scale=100:50'],
  ] as const) {
    it(`the complaint of an odd side is followed by advice for ${filters || 'no filter'} and ${size}`, () => {
      expect(withEvenSize([x264(size)], `-i {{in_1}} ${filters} {{out_1}}`)).to.deep.equal([
        `${x264(size)}; ${start}${advised}`,
      ])
    })
  }

  it('the complaint of an odd side is followed by advice when the encoder does not report the size', () => {
    for (const line of [
      'x265 [error]: Picture width must be an integer multiple of the specified chroma subsampling',
      'Svt[error]: Error Instance 1: Source Height must be even for YUV_420 colorspace',
    ]) {
      expect(withEvenSize([line, line], '-vf scale=321:-1')).to.deep.equal([
        `${line}; ${start}write scale=320:-2`,
        line,
      ])
      expect(withEvenSize([line], '')).to.deep.equal([
        `${line}; ${start}end the filters with scale=trunc(iw/2)*2:-2`,
      ])
    }
  })

  it('the advice leaves every other line as it is', () => {
    const lines = ['[libx264] Error setting preset/tune warp/(null).', '']
    expect(withEvenSize(lines, '-vf scale=321:-1')).to.deep.equal(lines)
  })
})
