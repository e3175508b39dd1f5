import { expect } from 'chai'
import { missingSegments } from './missing-segments.ts'

describe('files that a playlist names', () => {
  function missing(lines: readonly string[], stored: readonly string[], path = 'a.m3u8') {
    const text = ['#EXTM3U', '#EXT-X-TARGETDURATION:2', ...lines, ''].join('\n')
    const playlist = { alias: 'out_playlist_1', path, stored: new Set([path, ...stored]) }
    return missingSegments(text, playlist).map(({ message }) => message)
  }

  it('no file that a playlist names is missing', () => {
    const lines = [
      '#EXT-X-MAP:URI="init.mp4"',
      '#EXTINF:2,',
      'a0.m4s',
      '#EXTINF:2,',
      'b/a1.m4s?x=1',
    ]
    expect(missing(lines, ['init.mp4', 'a0.m4s', 'b/a1.m4s'])).to.deep.equal([])
  })

  it('files that a playlist names are reported where they are not stored, with the remedy', () => {
    expect(missing(['seg/s_000.ts', 'seg/s_001.ts'], ['s_000.ts', 's_001.ts'])).to.deep.equal([
      "a.m3u8 of out_playlist_1 names 'seg/s_000.ts' and 1 more files, which are not stored beside it. Write -hls_segment_filename without a folder, or give the same folder in -hls_base_url",
    ])
  })

  it('the files of a playlist are found from the folder of a variant', () => {
    expect(missing(['s0.ts'], ['v0/s0.ts'], 'v0/a.m3u8')).to.deep.equal([])
    expect(missing(['../s0.ts'], ['v0/s0.ts'], 'v0/a.m3u8')).to.have.length(1)
  })

  it('the files of a playlist are not looked for at other addresses', () => {
    expect(
      missing(
        ['https://cdn.example/s0.ts', '/s1.ts', '#EXT-X-KEY:METHOD=AES-128,URI="data:,x"'],
        [],
      ),
    ).to.deep.equal([])
  })

  it('the files of a playlist count keys, and names that are percent-encoded', () => {
    expect(
      missing(['#EXT-X-KEY:METHOD=AES-128,URI="enc.key"', 'a%20b.ts'], ['a b.ts']),
    ).to.have.length(1)
    expect(missing(['a%20b.ts', 'a%zz.ts'], ['a b.ts', 'a%zz.ts'])).to.deep.equal([])
  })
})
