import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { rejectionOf, useFolder } from '../../testing/support/mocha.ts'
import { fetchPlaylist } from './fetch-playlist.ts'

const base = 'https://files.example/public/c/out_playlist_1/'

describe('an HLS playlist', () => {
  const inFolder = useFolder()

  const fetchFrom = (files: Record<string, string>) =>
    fetchPlaylist({
      url: `${base}master.m3u8`,
      file: inFolder('film', 'mine.m3u8'),
      fetch: (input) => {
        const { href } = new URL(input instanceof Request ? input.url : input)
        const name = href.slice(base.length)
        const text = files[name]
        return Promise.resolve(new Response(text ?? '', { status: text === undefined ? 404 : 200 }))
      },
    })

  it('a playlist is downloaded with its variants, init sections and segments at their relative paths', async () => {
    const files = {
      'master.m3u8':
        '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv0/a.m3u8\n#EXT-X-MEDIA:TYPE=AUDIO,URI="v1/b.m3u8"\n',
      'v0/a.m3u8': '#EXTM3U\r\n#EXT-X-MAP:URI="init.mp4"\r\n#EXTINF:2,\r\nseg%200.m4s\r\n',
      'v1/b.m3u8': '#EXTM3U\n#EXTINF:2,\nseg.ts\n#EXTINF:2,\nseg.ts\n',
      'v0/init.mp4': 'i',
      'v0/seg%200.m4s': 's0',
      'v1/seg.ts': 's1',
    }
    expect(await fetchFrom(files)).to.equal(6)
    const found = await readdir(inFolder('film'), { recursive: true })
    expect(found.filter((one) => path.extname(one) !== '').toSorted()).to.deep.equal([
      'mine.m3u8',
      'v0/a.m3u8',
      'v0/init.mp4',
      'v0/seg 0.m4s',
      'v1/b.m3u8',
      'v1/seg.ts',
    ])
    expect(await readFile(inFolder('film/v0/seg 0.m4s'), 'utf8')).to.equal('s0')
  })

  it('writes nothing outside its folder', async () => {
    for (const name of ['../x.ts', 'https://other.example/x.ts', '..%2f..%2fx.ts', '/x.ts']) {
      const error = await rejectionOf(fetchFrom({ 'master.m3u8': `#EXTM3U\n${name}\n` }))
      expect(String(error), name).to.match(/outside its folder/)
    }
  })
})
