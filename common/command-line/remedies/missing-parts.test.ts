import { expect } from 'chai'
import names from '../grammar/media-names.json' with { type: 'json' }
import filterNames from '../grammar/filters.json' with { type: 'json' }
import { missingFilterRemedy, substituteEncoder } from './missing-parts.ts'

describe('what stands in for a part that FFmpeg lacks here', () => {
  for (const [name, substitute] of [
    ['libfdk_aac', 'aac'],
    ['libopenh264', 'libx264'],
    ['h264_nvenc', 'libx264'],
    ['hevc_videotoolbox', 'libx265'],
    ['HEVC_QSV', 'libx265'],
    ['av1_nvenc', 'libsvtav1'],
    ['vp9_vaapi', 'libvpx-vp9'],
    ['prores_videotoolbox', 'prores_ks'],
    ['mpeg2_qsv', 'mpeg2video'],
    ['aac_at', 'aac'],
  ] as const) {
    it(`the substitute is ${substitute} for ${name}`, () => {
      expect(substituteEncoder(name)).to.equal(substitute)
    })
  }

  it('the substitute is an encoder that FFmpeg has', () => {
    const known = new Set(names.encoders)
    for (const codec of 'h264 hevc av1 vp8 vp9 mjpeg mpeg2 mpeg4 h263 prores aac'.split(' ')) {
      expect(known, codec).to.include(substituteEncoder(`${codec}_nvenc`))
    }
    for (const name of ['lame', 'libfaac', 'xvid', 'ogg', 'libcelt', 'tx3g', 'alac_at']) {
      expect(known, name).to.include(substituteEncoder(name))
    }
  })

  it('other names have no substitute', () => {
    for (const name of ['frobnicate', 'libx264', 'pcm_s16le', '']) {
      expect(substituteEncoder(name), name).to.equal(null)
    }
  })

  it('the substitute for libvmaf is another filter, which FFmpeg has', () => {
    const said = missingFilterRemedy('libvmaf')
    for (const name of ['ssim', 'psnr', 'xpsnr']) {
      expect(said).to.contain(name)
      expect(filterNames).to.include(name)
      expect(missingFilterRemedy(name)).to.equal(null)
    }
    expect(filterNames).not.to.include('libvmaf')
  })
})
