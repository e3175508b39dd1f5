import { expect } from 'chai'
import { errorsOf, refusalOf } from '../../../testing/support/plan-one.ts'

describe('codecs of hardware', () => {
  for (const [name, substitute] of [
    ['h264_nvenc', 'libx264'],
    ['hevc_vaapi', 'libx265'],
    ['av1_qsv', 'libsvtav1'],
    ['vp9_vaapi', 'libvpx-vp9'],
    ['mjpeg_qsv', 'mjpeg'],
  ]) {
    it(`codecs of hardware are refused with the encoder to use: ${name}`, () => {
      const [error] = errorsOf(`-i {{in_1}} -c:v ${name} {{out_1}}`)
      expect(error?.message).to.match(new RegExp(`use ${substitute}$`))
    })
  }
})

describe('option strings of encoders', () => {
  it('lets no quoted name hide a number of threads', () => {
    const withParameters = (text: string): string =>
      refusalOf(`-i {{in_1}} -x264-params ${text} {{out_1}}`)
    expect(withParameters(`"keyint=60:th'read's=512"`)).to.contain('command_forbidden')
    expect(withParameters(`"th\\reads=512"`)).to.contain('command_forbidden')
    expect(withParameters(`"dump\\-yuv='y'"`)).to.equal('accepted')
  })

  it('takes zones of an encoder, and no path beside them', () => {
    const zones = (more: string): string =>
      `-i {{in_1}} -c:v libx264 -x264-params zones=0,24,crf=20/25,49,crf=35${more} {{out_1}}`
    expect(refusalOf(zones(''))).to.equal('accepted')
    expect(refusalOf(zones(':stats=/tmp/a'))).to.contain('command_forbidden')
  })
})
