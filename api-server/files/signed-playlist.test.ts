import { expect } from 'chai'
import { namedFiles, withNames } from './signed-playlist.ts'

const root = 'private/a/c/pod/out_playlist_1'
const text = [
  '#EXTM3U',
  '#EXT-X-KEY:METHOD=AES-128,URI="film.key",IV=0x1',
  '#EXT-X-MAP:URI="v0/init.mp4"',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="URI=x",URI="sound/part.m3u8"',
  '#EXTINF:4.0,',
  'v0/s 0.ts\r',
  '#EXTINF:4.0,',
  'https://cdn.example/s1.ts',
  '../other/s2.ts',
  '/s3.ts',
  '../../../../../public/s4.ts',
  'v1/part.m3u8',
  '#EXT-X-ENDLIST',
  '',
].join('\n')

describe('names in a playlist', () => {
  it('the names to sign are those of segments, maps and keys below the folder of the output', () => {
    expect([...namedFiles(text, `${root}/x`, root)]).to.deep.equal([
      ['film.key', `${root}/x/film.key`],
      ['v0/init.mp4', `${root}/x/v0/init.mp4`],
      ['v0/s 0.ts', `${root}/x/v0/s 0.ts`],
      ['../other/s2.ts', `${root}/other/s2.ts`],
    ])
  })

  it('change in place, and the rest of the text stays', () => {
    const names = new Map([
      ['film.key', 'https://s.example/k?a=1'],
      ['v0/s 0.ts', 'https://s.example/s?a=2'],
    ])
    const changed = withNames(text, names).split('\n')
    expect(changed[1]).to.equal('#EXT-X-KEY:METHOD=AES-128,URI="https://s.example/k?a=1",IV=0x1')
    expect(changed[5]).to.equal('https://s.example/s?a=2\r')
    const same = (_: string, index: number) => index !== 1 && index !== 5
    expect(changed.filter(same)).to.deep.equal(text.split('\n').filter(same))
  })
})
