import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { unknownMediaNames } from './unknown-media-names.ts'

describe('unknownMediaNames', () => {
  const found = (command: string) =>
    unknownMediaNames(stepOf(command)).map(
      ({ kind, name, nearest }) => `${kind} ${name}: ${nearest}`,
    )

  for (const option of ['-c:v', '-codec:v', '-vcodec', '-c:v:0', '-c']) {
    it(`names an encoder behind ${option} with the one that is meant`, () => {
      expect(found(`-i {{in_1}} ${option} libx246 {{out_1}}`)).to.deep.equal([
        'encoder libx246: libx264',
      ])
    })
  }

  it('names usual names that are none', () => {
    expect(found('-i {{in_1}} -c:v h265 -c:a libfdk_aac -f mkv {{out_1}}')).to.deep.equal([
      'encoder h265: libx265',
      'encoder libfdk_aac: aac',
      'muxer mkv: matroska',
    ])
    expect(found('-i {{in_1}} -c:v frobnicate -f frobnicate {{out_1}}')).to.deep.equal([
      'encoder frobnicate: null',
      'muxer frobnicate: null',
    ])
  })

  for (const [name, substitute] of [
    ['libfdk_aac', 'aac'],
    ['libfaac', 'aac'],
    ['libopenh264', 'libx264'],
    ['aac_at', 'aac'],
    ['x265', 'libx265'],
  ]) {
    it(`names the encoder to use in place of ${name}, which is not a misspelt one`, () => {
      const step = stepOf(`-i {{in_1}} -c:v ${name} {{out_1}}`)
      expect(unknownMediaNames(step)).to.deep.equal([
        { kind: 'encoder', name, nearest: substitute, isSubstitute: true },
      ])
    })
  }

  it('encoders, codecs that have one, copy, and formats are not reported', () => {
    for (const name of ['libx264', 'h264', 'copy', 'prores_ks']) {
      expect(found(`-i {{in_1}} -c:v ${name} -f mp4 {{out_1}}`), name).to.deep.equal([])
    }
    expect(found('-i {{in_1}} -f MP4 {{out_1}}')).to.deep.equal([])
  })

  it('leaves decoders and formats of inputs alone, of which there are others', () => {
    expect(found('-f image2pipe -c:v dnxhd -i {{in_1}} {{out_1}}')).to.deep.equal([])
    expect(found('-f lavfi -i testsrc2=duration=1 {{out_1}}')).to.deep.equal([])
  })
})
