import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { untaggedHevc } from './hevc-tag.ts'

const found = (options: string, name = 'a.mp4') =>
  untaggedHevc(stepOf(`-i {{in_1}} ${options} {{out_1}}`, { outputs: { out_1: name } }))

describe("HEVC under a tag that Apple's players refuse", () => {
  for (const [options, name] of [
    ['-c:v libx265', 'a.mp4'],
    ['-vcodec libx265', 'a.MOV'],
    ['-codec:v hevc -c:a aac', 'a.m4v'],
    ['-c:v:0 libx265 -f mp4', 'a.bin'],
    ['-c:v libx264 -c:v libx265 -tag:a mp4a', 'a.mp4'],
  ] as const) {
    it(`HEVC without the tag hvc1 is written by ${options} to ${name}`, () => {
      expect(found(options, name)).to.deep.equal(['out_1'])
    })
  }

  it('HEVC without the tag hvc1 is written to a playlist of fragmented MP4', () => {
    const outputs = { outputs: { out_playlist_1: 'a.m3u8' } }
    const playlist = (type: string) =>
      stepOf(`-i {{in_1}} -c:v libx265 -hls_segment_type ${type} {{out_playlist_1}}`, outputs)
    expect(untaggedHevc(playlist('fmp4'))).to.deep.equal(['out_playlist_1'])
    expect(untaggedHevc(playlist('mpegts'))).to.deep.equal([])
  })

  it('HEVC without the tag hvc1 is not written by the first of two passes', () => {
    const first = '-i {{in_1}} {{out_1}} -c:v libx265 -f mp4 /dev/null'
    expect(untaggedHevc(stepOf(first))).to.deep.equal([])
  })

  for (const [options, name] of [
    ['-c:v libx265 -tag:v hvc1', 'a.mp4'],
    ['-c:v libx265 -vtag hvc1', 'a.mp4'],
    ['-c:v libx265 -tag:v:0 hev1', 'a.mp4'],
    ['-c:v libx265', 'a.mkv'],
    ['-c:v libx265 -f mpegts', 'a.mp4'],
    ['-c:v libx265 -c:v libx264', 'a.mp4'],
    ['-c:a libx265', 'a.mp4'],
    ['', 'a.mp4'],
    ['-c copy', 'a.mp4'],
  ] as const) {
    it(`HEVC without the tag hvc1 is not written, or not without the wish, by '${options}' to ${name}`, () => {
      expect(found(options, name)).to.deep.equal([])
    })
  }
})
