import { expect } from 'chai'
import { argvOf, refusalOf } from '../../../testing/support/plan-one.ts'

const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('refused formats and codecs', () => {
  const inputs =
    'alsa fbdev iec61883 jack kmsgrab libcdio libdc1394 openal oss pulse v4l2 video4linux2 x11grab V4L2 sdp rtsp rtp avisynth vapoursynth'
  for (const format of inputs.split(' ')) {
    it(`refuses -f ${format} for an input`, () => {
      expect(refusalOf(`-f ${format} -i {{in_1}} {{out_1}}`)).to.equal(
        `command_forbidden ${format}`,
      )
    })
  }

  const outputs =
    'alsa caca fbdev opengl oss pulse sdl sdl2 v4l2 xv rtp rtsp rtp_mpegts sap whip RTP mp4,rtp all -rtp'
  for (const format of outputs.split(' ')) {
    it(`refuses -f ${format} for an output`, () => {
      expect(refusalOf(withOption(`-f ${format}`))).to.equal(`command_forbidden ${format}`)
      expect(refusalOf(withOption(`-f fifo -fifo_format ${format}`))).to.contain('forbidden')
      expect(refusalOf(`-i {{in_1}} -f tee '[f=${format}]{{out_1}}'`)).to.equal(
        `command_forbidden ${format}`,
      )
    })
  }

  it('takes the last of several formats for one file, as FFmpeg does, and leaves the others out', () => {
    const argv = argvOf(withOption('-f mp4 -f matroska'))
    expect(argv.join(' ')).to.contain('-f matroska').and.not.to.contain('-f mp4')
    expect(refusalOf('-f lavfi -f data -i {{in_1}} {{out_1}}')).to.equal('accepted')
    expect(refusalOf('-f data -f lavfi -i movie=/etc/passwd {{out_1}}')).to.contain('forbidden')
    expect(refusalOf(withOption('-f mp4 -f rtp'))).to.equal('command_forbidden rtp')
  })

  const codecs =
    'h264_nvenc hevc_cuvid h264_qsv hevc_vaapi h264_amf h264_mf h264_v4l2m2m hevc_videotoolbox h264_vulkan'
  for (const codec of codecs.split(' ')) {
    it(`refuses the codec ${codec}`, () => {
      for (const option of ['-c:v', '-codec:v:0', '-vcodec', '-c']) {
        expect(refusalOf(withOption(`${option} ${codec}`))).to.equal(`command_forbidden ${codec}`)
      }
      expect(refusalOf(`-c:v ${codec} -i {{in_1}} {{out_1}}`)).to.contain('command_forbidden')
    })
  }

  it('refuses paths in encoder parameters, but not ratios', () => {
    expect(refusalOf(withOption('-x264-params stats=/tmp/a'))).to.contain('command_forbidden')
    expect(refusalOf(withOption('-x265-params csv=a/b:crf=2'))).to.contain('command_forbidden')
    expect(refusalOf(withOption('-x264opts fps=30000/1001:stats=a.log'))).to.equal('accepted')
  })
})
