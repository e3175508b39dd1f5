import { expect } from 'chai'
import { parseProbeReport } from './ffprobe-report.ts'
import { mediaFacts, needsPackets } from './media-facts.ts'

const h264 = {
  index: 0,
  codec_type: 'video',
  codec_name: 'h264',
  profile: 'High',
  level: 12,
  width: 320,
  height: 240,
  pix_fmt: 'yuv420p',
  avg_frame_rate: '100/4',
  r_frame_rate: '25/1',
  time_base: '1/12800',
}
const aac = { index: 1, codec_type: 'audio', codec_name: 'aac', time_base: '1/44100' }

/** Another test compares real files with ffprobe itself; these reports are rare ones. */
describe('the record of a file', () => {
  it("a bit rate is divided by 1024: 379459 bit/s are the published samples' 370.5654296875", () => {
    const { bitrate_video_kb, frame_rate } = facts([{ ...h264, bit_rate: '379459' }])
    expect({ bitrate_video_kb, frame_rate }).to.deep.equal({
      bitrate_video_kb: 370.5654296875,
      frame_rate: 25,
    })
  })

  it('takes the rate of the video from the whole when all else is known', () => {
    const streams = [h264, { ...aac, bit_rate: '65536' }]
    expect(facts(streams, { bit_rate: '1114112' }).bitrate_video_kb).to.equal(1024)
  })

  it('takes rates from tags, as Matroska tools write them', () => {
    const streams = [
      { ...h264, tags: { BPS: '2048' } },
      { ...aac, tags: { 'BPS-eng': '1024' } },
    ]
    const { bitrate_video_kb, bitrate_audio_kb } = facts(streams)
    expect([bitrate_video_kb, bitrate_audio_kb]).to.deep.equal([2, 1])
  })

  it('reads the packets only when a rate or the duration is nowhere else', () => {
    const known = [{ ...h264, bit_rate: '1000' }]
    expect(needsPackets(report(known), null)).to.equal(false)
    expect(needsPackets(report([h264, aac]), null)).to.equal(true)
    expect(needsPackets(report(known, { duration: undefined }), null)).to.equal(true)
    expect(needsPackets(report([]), null)).to.equal(false)
  })

  it('turns a negative rotation as well, and leaves half a turn', () => {
    const turned = (rotation: number) => {
      const { width, height } = facts([{ ...h264, side_data_list: [{ rotation }] }])
      return [width, height]
    }
    expect([turned(-90), turned(270), turned(180)]).to.deep.equal([
      [240, 320],
      [240, 320],
      [320, 240],
    ])
  })

  it('a video has no size when FFmpeg knows none', () => {
    const { width, height } = facts([{ ...h264, width: 0, height: 0 }])
    expect([width, height]).to.deep.equal([null, null])
  })

  it('states the profile alone when the level is unknown', () => {
    expect(facts([{ ...h264, level: -99 }]).video_profile_level).to.equal('High')
    expect(facts([{ ...h264, profile: 'unknown' }]).video_profile_level).to.equal(null)
  })

  it('reads a duration from a tag', () => {
    const tagged = { ...h264, tags: { DURATION: '01:00:03.500000000' } }
    expect(facts([tagged], { duration: undefined }).duration).to.equal(3603.5)
  })

  it('ignores a cover for everything but the kind', () => {
    const cover = { ...h264, disposition: { attached_pic: 1 } }
    const found = facts([cover, { ...aac, bit_rate: '1024' }], { format_name: 'mp3' }, 'song.mp3')
    expect(found).to.include({ file_type: 'audio', width: null, frame_rate: null, codec: 'aac' })
  })

  it('the record is that of an image for brands that no encoder of ours writes', () => {
    for (const brand of ['heic', 'heix', 'mif1', 'avis']) {
      const tags = { major_brand: brand, compatible_brands: `${brand}miaf` }
      expect(facts([h264], { tags }, 'photo.heic').file_type).to.equal('image')
    }
  })

  it('the record is that of the raw picture of a CR3, not of its previews', () => {
    const tags = { major_brand: 'crx ', compatible_brands: 'crx isom' }
    const preview = { ...h264, codec_name: 'mjpeg', width: 1620, height: 1080 }
    const raw = { ...h264, index: 1, codec_name: undefined, width: 6022, height: 4024 }
    expect(facts([preview, raw], { tags }, 'IMG_0001.CR3')).to.include({
      file_type: 'image',
      file_format: 'cr3',
      mime_type: 'image/x-canon-cr3',
      width: 6022,
      height: 4024,
    })
  })

  it('a video has no profile where FFmpeg writes a bare number', () => {
    for (const profile of ['0', '247', '-99']) {
      expect(facts([{ ...h264, profile }]).video_profile_level).to.equal(null)
    }
    expect(facts([{ ...h264, profile: 'Profile 0', level: -99 }]).video_profile_level).to.equal(
      'Profile 0',
    )
  })

  it('the record is that of a moving track behind a still item, and of an item behind its thumbnail', () => {
    const tags = { major_brand: 'avis', compatible_brands: 'avisavifmsf1' }
    const item = { ...h264, nb_frames: '1', avg_frame_rate: '1/1' }
    const track = { ...h264, index: 1, nb_frames: '50', duration: '2.0', width: 640, height: 480 }
    expect(facts([item, track], { tags }, 'a.avif')).to.include({ width: 640, frame_rate: 25 })
    const primary = { ...item, index: 1, width: 4000, disposition: { default: 1 } }
    expect(facts([item, primary], { tags }, 'a.avif')).to.include({ width: 4000 })
  })

  it('a file has the registered type of its container when it holds sound alone', () => {
    const types: [file: string, format: string, brand: string, type: string][] = [
      ['a.m4b', 'mov,mp4,m4a,3gp,3g2,mj2', 'M4B ', 'audio/mp4'],
      ['a.mp4', 'mov,mp4,m4a,3gp,3g2,mj2', 'isom', 'audio/mp4'],
      ['a.m4v', 'mov,mp4,m4a,3gp,3g2,mj2', 'M4V ', 'audio/mp4'],
      ['a.3g2', 'mov,mp4,m4a,3gp,3g2,mj2', '3g2a', 'audio/3gpp2'],
      ['a', 'mov,mp4,m4a,3gp,3g2,mj2', '3gp4', 'audio/3gpp'],
      ['a.mkv', 'matroska,webm', '', 'audio/x-matroska'],
      ['a.webm', 'matroska,webm', '', 'audio/webm'],
      ['a.asf', 'asf', '', 'audio/x-ms-wma'],
      ['a.amr', 'amr', '', 'audio/amr'],
      ['a.snd', 'au', '', 'audio/basic'],
    ]
    for (const [file, format_name, major_brand, mime_type] of types) {
      const found = facts([aac], { format_name, tags: { major_brand } }, file)
      expect(found, file).to.include({ file_type: 'audio', mime_type })
    }
  })

  it('a file with data streams alone is neither picture nor sound', () => {
    const data = { index: 0, codec_type: 'data', codec_name: 'bin_data', time_base: '1/1000' }
    expect(facts([data])).to.include({
      file_type: 'other',
      duration: 2,
      codec: null,
      timebase: null,
    })
  })

  it('takes no rate from a manifest, whose size is only its own', () => {
    const rates = { format_name: 'hls', bit_rate: '600' }
    const { bitrate_video_kb, bitrate_audio_kb } = facts([aac], rates)
    expect([bitrate_video_kb, bitrate_audio_kb]).to.deep.equal([null, null])
  })

  it('the record does not take "variable" for a rate', () => {
    const variable = { ...h264, codec_name: 'mpeg1video', bit_rate: '104857200' }
    expect(facts([variable, { ...aac, bit_rate: '1024' }], { bit_rate: '3072' })).to.include({
      bitrate_video_kb: 2,
    })
  })

  it('reads the packets of a picture only when it moves', () => {
    const apng = { format_name: 'apng', duration: undefined }
    expect(needsPackets(report([h264], apng), [0, 4, 8])).to.equal(true)
    expect(needsPackets(report([h264], apng), [0])).to.equal(false)
  })

  it('the report is null when FFmpeg only guesses: random bytes sometimes look like an MP3', () => {
    const guess = { format: { format_name: 'mp3', probe_score: 1 }, streams: [aac] }
    expect(parseProbeReport(JSON.stringify(guess))).to.equal(null)
    guess.format.probe_score = 25
    expect(parseProbeReport(JSON.stringify(guess))?.streams).to.have.length(1)
  })

  for (const text of ['', '{}', '{"format":{}}', '[1]', '{"format":{"format_name":', 'null']) {
    it(`returns null for the report '${text}'`, () => {
      expect(parseProbeReport(text)).to.equal(null)
    })
  }
})

function facts(streams: object[], format: object = {}, fileName = 'clip.mp4') {
  const frameTimes = [0, 512, 1024]
  return mediaFacts({
    fileName,
    report: report(streams, format),
    frameTimes,
    packets: null,
    picture: null,
  })
}

function report(streams: object[], format: object = {}) {
  const whole = { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', duration: '2.0', ...format }
  const parsed = parseProbeReport(JSON.stringify({ format: whole, streams }))
  if (parsed === null) throw new Error('no report')
  return parsed
}
