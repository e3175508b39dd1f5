import { expect } from 'chai'
import { fetchFixture } from '../../../../testing/runner/fetch-fixture.ts'
import { serveFiles } from '../../../../testing/runner/odd-servers.ts'
import { useFixture } from '../../../../testing/support/scratch.ts'

const segment = (letter: string): Buffer => {
  const packet = Buffer.alloc(188 * 2, letter)
  packet[0] = 0x47
  packet[188] = 0x47
  return packet
}
const media = (lines: string, end = '#EXT-X-ENDLIST\n'): string =>
  `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n${lines}${end}`

describe('a playlist as an input', () => {
  const fixture = useFixture(fetchFixture)

  it('a playlist is fetched with its segments, and names them by where they lie', async () => {
    const url = await serve({
      '/v/index.m3u8?token=1': media(
        '#EXTINF:2,\na.ts?x=1\n#EXTINF:2,\n../b/b.ts\n#EXTINF:2,\n/c.ts\n',
      ),
      '/v/a.ts?x=1': segment('a'),
      '/b/b.ts': segment('b'),
      '/c.ts': segment('c'),
    })
    const [input] = await fixture.fetch(`${url}/v/index.m3u8?token=1`)
    expect(input).to.include({ path: '../in/in_1.m3u8', fileName: 'index.m3u8' })
    const names = await namesInPlaylist()
    expect(names.map((name) => name.endsWith('.ts'))).to.deep.equal([true, true, true])
    for (const [index, letter] of ['a', 'b', 'c'].entries()) {
      expect((await fixture.stored(names[index] ?? '')).equals(segment(letter))).to.equal(true)
    }
    expect(input?.bytes).to.equal(3 * 2 * 188)
  })

  it('a playlist is fetched as the variant with the highest bandwidth, with its sound', async () => {
    const url = await serve({
      '/master.m3u8': `#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="s",NAME="English",DEFAULT=YES,URI="sound/index.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=100,AUDIO="s"
low.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900,AUDIO="s"
high.m3u8
#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=2000,URI="frames.m3u8"
`,
      '/high.m3u8': media('#EXTINF:2,\nhigh.ts\n'),
      '/high.ts': segment('h'),
      '/sound/index.m3u8': media('#EXTINF:2,\ns.aac\n'),
      '/sound/s.aac': Buffer.from('sound'),
    })
    await fixture.fetch(`${url}/master.m3u8`)
    expect(paths()).to.have.members([
      '/master.m3u8',
      '/high.m3u8',
      '/high.ts',
      '/sound/index.m3u8',
      '/sound/s.aac',
    ])
    const text = (await fixture.stored('in_1.m3u8')).toString()
    expect(text)
      .to.match(/URI="in_1\.\d+\.m3u8"/)
      .and.to.match(/BANDWIDTH=900/)
    expect(text).to.not.match(/low|frames|http/)
  })

  it('a master playlist without sound apart is replaced by its only media playlist', async () => {
    const url = await serve({
      '/master.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100\nv/one.m3u8\n',
      '/v/one.m3u8': media('#EXTINF:2,\na.ts\n'),
      '/v/a.ts': segment('a'),
    })
    await fixture.fetch(`${url}/master.m3u8`)
    expect(await namesInPlaylist()).to.have.length(1)
  })

  it('a playlist has its keys beside it, and its first parts and byte ranges fetched once', async () => {
    const lines = `#EXT-X-KEY:METHOD=AES-128,URI="/key",IV=0x00000000000000000000000000000001
#EXT-X-MAP:URI="all.mp4",BYTERANGE="100@0"
#EXTINF:2,
#EXT-X-BYTERANGE:100@100
all.mp4
#EXTINF:2,
#EXT-X-BYTERANGE:100@200
all.mp4
`
    const film = Buffer.from(`\0\0\0\u0020ftyp${'x'.repeat(400)}`)
    const url = await serve({
      '/i.m3u8': media(lines),
      '/key': Buffer.alloc(16, 1),
      '/all.mp4': film,
    })
    await fixture.fetch(`${url}/i.m3u8`)
    expect(paths()).to.have.members(['/i.m3u8', '/key', '/all.mp4'])
    const text = (await fixture.stored('in_1.m3u8')).toString()
    expect(text).to.match(/METHOD=AES-128,URI="in_1\.\d+\.ts"/)
    expect(text).to.match(/#EXT-X-BYTERANGE:100@200\nin_1\.\d+\.m4s/)
  })

  it('a playlist has keys beside it that it holds itself', async () => {
    const key = `data:text/plain;base64,${Buffer.alloc(16, 7).toString('base64')}`
    const lines = `#EXT-X-KEY:METHOD=AES-128,URI="${key}"\n#EXTINF:2,\na.ts\n`
    const url = await serve({ '/i.m3u8': media(lines), '/a.ts': segment('a') })
    await fixture.fetch(`${url}/i.m3u8`)
    const text = (await fixture.stored('in_1.m3u8')).toString()
    const [, name = ''] = /URI="(in_1\.\d+\.ts)"/.exec(text) ?? []
    expect((await fixture.stored(name)).equals(Buffer.alloc(16, 7))).to.equal(true)
  })

  it('a playlist has segments by their contents, not by their names', async () => {
    const url = await serve({
      '/i.m3u8': media('#EXTINF:2,\na.jpg\n#EXTINF:2,\nb.html\n'),
      '/a.jpg': segment('a'),
      '/b.html': segment('b'),
    })
    await fixture.fetch(`${url}/i.m3u8`)
    expect((await namesInPlaylist()).every((name) => name.endsWith('.ts'))).to.equal(true)
  })

  it('a playlist is found behind any name, after redirects', async () => {
    const files = {
      '/cdn/live/x.m3u8': media('#EXTINF:2,\na.ts\n'),
      '/cdn/live/a.ts': segment('a'),
    }
    const url = await serve(files, { '/play.php': '/cdn/live/x.m3u8' })
    const [input] = await fixture.fetch(`${url}/play.php`)
    expect(input?.path).to.equal('../in/in_1.m3u8')
    expect(paths()).to.include('/cdn/live/a.ts')
  })

  it('a playlist is refused as a live stream, and taken for a limited time', async () => {
    const url = await serve({ '/i.m3u8': media('#EXTINF:2,\na.ts\n', ''), '/a.ts': segment('a') })
    expect(await fixture.refusal(`${url}/i.m3u8`)).to.deep.equal([
      'INVALID_INPUT_FILE',
      'in_1: the playlist is a live stream; add -t with seconds in front of -i, or send the playlist of a recording',
    ])
    await fixture.fetch(`${url}/i.m3u8`, { bounded: ['in_1'] })
    expect((await fixture.stored('in_1.m3u8')).toString()).to.contain('#EXT-X-ENDLIST')
  })

  it('a playlist is refused with protection that FFmpeg cannot undo', async () => {
    const key =
      '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"\n'
    const url = await serve({ '/i.m3u8': media(`${key}#EXTINF:2,\na.ts\n`) })
    expect((await fixture.refusal(`${url}/i.m3u8`))[1]).to.match(/protected by SAMPLE-AES/)
  })

  it('names the segment that cannot be fetched, without its query', async () => {
    const url = await serve({ '/i.m3u8': media('#EXTINF:2,\ngone.ts?token=1\n') })
    expect(await fixture.refusal(`${url}/i.m3u8`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/i.m3u8 names ${url}/gone.ts, which answered 404 Not Found`,
    ])
  })

  for (const inside of ['http://10.0.0.1/a.ts', 'file:///etc/passwd', 'http://169.254.169.254/a']) {
    it(`a playlist reaches nothing inside through ${inside}`, async () => {
      const url = await serve({ '/i.m3u8': media(`#EXTINF:2,\n${inside}\n`) })
      const [status, message] = await fixture.refusal(`${url}/i.m3u8`)
      expect([status, /public address|neither http nor https/.test(message)]).to.deep.equal([
        'UNREACHABLE_INPUT_FILE',
        true,
      ])
    })
  }

  it('counts all segments against the largest file of the plan', async () => {
    const url = await serve({
      '/i.m3u8': media('#EXTINF:2,\na.ts\n#EXTINF:2,\nb.ts\n'),
      '/a.ts': Buffer.alloc(900_000, 'G'),
      '/b.ts': Buffer.alloc(900_000, 'G'),
    })
    const [status] = await fixture.refusal(`${url}/i.m3u8`, { fileBytes: 1_000_000 })
    expect(status).to.equal('INPUT_TOO_LARGE')
  })

  it('names at most 20,000 segments', async () => {
    const lines = '#EXTINF:2,\na.ts\n'.repeat(20_001)
    const url = await serve({ '/i.m3u8': media(lines), '/a.ts': segment('a') })
    expect(await fixture.refusal(`${url}/i.m3u8`)).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_1: the playlist names more than 20000 segments',
    ])
  })

  it('reports the part of its segments that is there', async () => {
    const parts: number[] = []
    const lines = '#EXTINF:2,\na.ts\n#EXTINF:2,\nb.ts\n'
    const url = await serve({ '/i.m3u8': media(lines), '/a.ts': 'G', '/b.ts': 'G' })
    await fixture.fetch(`${url}/i.m3u8`, { onSegments: (fetchedPart) => parts.push(fetchedPart) })
    expect(parts).to.deep.equal([0.5, 1])
  })

  it('a playlist differs from a list of songs, which stays as it is', async () => {
    const url = await serve({ '/songs.m3u': '#EXTM3U\n#EXTINF:100,A song\nsong.mp3\n' })
    await fixture.fetch(`${url}/songs.m3u`)
    expect(paths()).to.deep.equal(['/songs.m3u'])
  })

  function serve(
    files: Readonly<Record<string, string | Buffer>>,
    redirects: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    return fixture.origin(serveFiles(files, redirects))
  }

  function paths(): string[] {
    return fixture.requests.map(({ url = '' }) => url)
  }

  async function namesInPlaylist(): Promise<string[]> {
    const text = (await fixture.stored('in_1.m3u8')).toString()
    return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }
})
