import { expect } from 'chai'
import { fetchFixture } from '../../../../testing/runner/fetch-fixture.ts'
import { serveFiles } from '../../../../testing/runner/odd-servers.ts'
import { useFixture } from '../../../../testing/support/scratch.ts'

const manifest = (content: string, attributes = 'mediaPresentationDuration="PT6S"'): string =>
  `<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ${attributes}>
<Period>${content}</Period></MPD>`
const video = (content: string, attributes = 'id="v" bandwidth="900"'): string =>
  `<AdaptationSet mimeType="video/mp4"><Representation ${attributes}>${content}</Representation></AdaptationSet>`
const numbered = '<SegmentTemplate duration="2" initialization="i.mp4" media="$Number$.m4s"/>'

/** The start of an MP4 with a letter in it. */
const part = (letter: string): string => `\0\0\0\u0010ftyp${letter}`

describe('a DASH manifest as an input', () => {
  const fixture = useFixture(fetchFixture)

  it('a manifest has each stream in one file, the first part and the segments in their order', async () => {
    const url = await serve({
      '/d/x.mpd': manifest(video(numbered)),
      '/d/i.mp4': part('i'),
      '/d/1.m4s': part('1'),
      '/d/2.m4s': part('2'),
      '/d/3.m4s': part('3'),
    })
    const [input] = await fixture.fetch(`${url}/d/x.mpd`)
    expect(input).to.include({ path: '../in/in_1.mpd', fileName: 'x.mpd' })
    expect(await streams()).to.deep.equal(['i123'.split('').map(part).join('')])
    expect(input?.bytes).to.equal(4 * part('i').length)
    // The pieces are gone: a film takes its place on the disk once.
    expect(await fixture.names()).to.have.lengthOf(2)
  })

  it('a manifest is read with all that a template can name', async () => {
    const template =
      '<SegmentTemplate timescale="10" startNumber="7" initialization="$RepresentationID$/i.mp4" media="$RepresentationID$/$Bandwidth$-$Number%05d$-$Time$.m4s">' +
      '<SegmentTimeline><S t="100" d="20" r="1"/><S d="5"/></SegmentTimeline></SegmentTemplate>'
    const url = await serveAll({ '/x.mpd': manifest(video(template)) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(paths()).to.have.members([
      '/x.mpd',
      '/v/i.mp4',
      '/v/900-00007-100.m4s',
      '/v/900-00008-120.m4s',
      '/v/900-00009-140.m4s',
    ])
  })

  it('repeats a segment of its timeline up to the next one, and to the end', async () => {
    const template =
      '<SegmentTemplate timescale="1" media="$Time$.m4s"><SegmentTimeline>' +
      '<S t="0" d="1" r="-1"/><S t="3" d="2" r="-1"/></SegmentTimeline></SegmentTemplate>'
    const url = await serveAll({ '/x.mpd': manifest(video(template)) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(paths()).to.have.members([
      '/x.mpd',
      ...[0, 1, 2, 3, 5].map((at) => `/${String(at)}.m4s`),
    ])
  })

  it('a manifest may have times that are larger than a number holds', async () => {
    const template =
      '<SegmentTemplate timescale="10000000" media="$Time$.m4s"><SegmentTimeline>' +
      '<S t="17000000000000001" d="20000000" r="1"/></SegmentTimeline></SegmentTemplate>'
    const url = await serveAll({ '/x.mpd': manifest(video(template)) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(paths().slice(1)).to.have.members(['/17000000000000001.m4s', '/17000000020000001.m4s'])
  })

  it('a manifest has what a set and the period say for all of their representations', async () => {
    const content = `<BaseURL>p/</BaseURL><SegmentTemplate timescale="1000" duration="3000" startNumber="0"/>
<AdaptationSet contentType="video"><SegmentTemplate media="$Number$.m4s"/>
<Representation id="a" bandwidth="1"><BaseURL>a/</BaseURL></Representation></AdaptationSet>`
    const url = await serveAll({ '/x.mpd': manifest(content) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(paths()).to.have.members(['/x.mpd', '/p/a/0.m4s', '/p/a/1.m4s'])
  })

  it('a manifest is read with a list of segments', async () => {
    const list =
      '<SegmentList duration="2"><Initialization sourceURL="i.mp4"/><SegmentURL media="b.m4s"/><SegmentURL media="a.m4s"/></SegmentList>'
    const url = await serveAll({ '/x.mpd': manifest(video(list)) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(await streams()).to.deep.equal([['i.mp4', 'b.m4s', 'a.m4s'].map(part).join('')])
  })

  for (const [kind, content] of [
    ['a file', '<BaseURL>all.mp4</BaseURL>'],
    [
      'a file with an index',
      '<BaseURL>all.mp4</BaseURL><SegmentBase indexRange="8-99"><Initialization range="0-7"/></SegmentBase>',
    ],
    [
      'ranges of a file',
      '<BaseURL>all.mp4</BaseURL><SegmentList><Initialization range="0-3"/><SegmentURL mediaRange="4-5"/><SegmentURL mediaRange="6-8"/></SegmentList>',
    ],
  ]) {
    it(`a manifest of ${kind ?? ''} is read, and the file is fetched whole`, async () => {
      const url = await serveAll({ '/x.mpd': manifest(video(content ?? '')) })
      await fixture.fetch(`${url}/x.mpd`)
      expect(paths()).to.deep.equal(['/x.mpd', '/all.mp4'])
      expect(await streams()).to.deep.equal([part('all.mp4')])
    })
  }

  it('a manifest has ranges of several files cut from them', async () => {
    const list =
      '<SegmentList><Initialization sourceURL="i.mp4" range="4-8"/><SegmentURL media="a.m4s" mediaRange="8-8"/><SegmentURL media="a.m4s" mediaRange="9-10"/></SegmentList>'
    const url = await serveAll({ '/x.mpd': manifest(video(list)) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(await streams()).to.deep.equal(['ftypia.m'])
    expect(await fixture.names()).to.have.lengthOf(2)
  })

  it('a manifest is fetched as the largest picture with its highest bandwidth, and each sound', async () => {
    const one = (id: string, attributes: string) =>
      `<Representation id="${id}" ${attributes}><BaseURL>${id}.mp4</BaseURL></Representation>`
    const content = `<AdaptationSet contentType="video">
${one('small', 'bandwidth="900" width="160" height="120"')}
${one('poor', 'bandwidth="500" width="320" height="240"')}
${one('good', 'bandwidth="800" width="320" height="240"')}</AdaptationSet>
<AdaptationSet contentType="video"><EssentialProperty schemeIdUri="http://dashif.org/guidelines/trickmode"/>
${one('seek', 'bandwidth="9000" width="640" height="480"')}</AdaptationSet>
<AdaptationSet contentType="audio" lang="en">${one('en', 'bandwidth="64"')}${one('en2', 'bandwidth="128"')}</AdaptationSet>
<AdaptationSet contentType="audio" lang="fr">${one('fr', 'bandwidth="64"')}</AdaptationSet>
<AdaptationSet contentType="text">${one('words', 'bandwidth="1"')}</AdaptationSet>`
    const url = await serveAll({ '/x.mpd': manifest(content) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(paths()).to.have.members(['/x.mpd', '/good.mp4', '/en2.mp4', '/fr.mp4'])
    const text = (await fixture.stored('in_1.mpd')).toString()
    expect(text).to.match(/contentType="video"[^]*contentType="audio" lang="en"[^]*lang="fr"/)
  })

  it('a manifest is found behind any name, after redirects and a long comment', async () => {
    const text = manifest(video('<BaseURL>a.mp4</BaseURL>')).replace('<MPD', '<!-- x -->\n<d:MPD')
    const named = text.replace('</MPD', '</d:MPD').replace('xmlns=', 'xmlns:d="d" xmlns=')
    const commented = named.replace('<!-- x -->', `<!--${' '.repeat(5000)}-->`)
    const url = await serve(
      { '/cdn/x': named, '/cdn/a.mp4': part('a'), '/y.mpd': commented, '/a.mp4': part('a') },
      { '/play.php': '/cdn/x' },
    )
    const [first, second] = await fixture.fetch([`${url}/play.php`, `${url}/y.mpd`])
    expect([first?.path, second?.path]).to.deep.equal(['../in/in_1.mpd', '../in/in_2.mpd'])
  })

  it('a manifest has its periods one after the other', async () => {
    const one = (name: string) => video(`<BaseURL>${name}.mp4</BaseURL>`)
    const content = `${one('a')}</Period><Period/><Period start="PT4S">${one('b')}`
    const url = await serveAll({ '/x.mpd': manifest(content) })
    const [input] = await fixture.fetch(`${url}/x.mpd`)
    expect(input?.path).to.equal('../in/in_1.mpd')
    const text = (await fixture.stored('in_1.mpd')).toString()
    const [first = '', second = ''] = [...text.matchAll(/in_1\.\d+\.mpd/g)].map(([name]) => name)
    expect(text).to.equal(
      `ffconcat version 1.0\nfile '${first}'\nfile '${second}'\nduration 2.000\n`,
    )
    const files = await Promise.all([streams(first), streams(second)])
    expect(files).to.deep.equal([[part('a.mp4')], [part('b.mp4')]])
  })

  it('counts the segments of a period by the start of the next one', async () => {
    const template = '<SegmentTemplate duration="2" media="$RepresentationID$/$Number$.m4s"/>'
    const content = `${video(template)}</Period><Period start="PT4S">${video(template, 'id="w"')}`
    const url = await serveAll({ '/x.mpd': manifest(content) })
    await fixture.fetch(`${url}/x.mpd`)
    expect(paths()).to.have.members(['/x.mpd', '/v/1.m4s', '/v/2.m4s', '/w/1.m4s'])
  })

  it('a manifest ends where the last segment that its duration promises is missing', async () => {
    const url = await serve({
      '/x.mpd': manifest(video(numbered), 'mediaPresentationDuration="PT4.02S"'),
      '/i.mp4': part('i'),
      '/1.m4s': part('1'),
      '/2.m4s': part('2'),
    })
    await fixture.fetch(`${url}/x.mpd`)
    expect(await streams()).to.deep.equal(['i12'.split('').map(part).join('')])
  })

  it('names another segment that is missing', async () => {
    const url = await serve({
      '/x.mpd': manifest(video(numbered)),
      '/i.mp4': part('i'),
      '/1.m4s': part('1'),
      '/3.m4s': part('3'),
    })
    expect(await fixture.refusal(`${url}/x.mpd`)).to.deep.equal([
      'UNREACHABLE_INPUT_FILE',
      `in_1: ${url}/x.mpd names ${url}/2.m4s, which answered 404 Not Found`,
    ])
  })

  for (const [what, text, message] of [
    ['of a live stream', manifest('').replace('static', 'dynamic'), /of a live stream; send/],
    [
      'with Widevine',
      manifest(
        video(
          '<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/><ContentProtection schemeIdUri="urn:uuid:EDEF8BA9-79D6-4ACE-A3C8-27DCD51D21ED"/>',
        ),
      ),
      /protected by Widevine, which FFmpeg cannot decrypt/,
    ],
    [
      'with parts in other files',
      manifest('</Period><Period xlink:href="https://ads.example/1">'),
      /by xlink:href/,
    ],
    ['without streams', manifest(''), /names no streams/],
    ['that is cut short', manifest(video(numbered)).slice(0, -20), /cannot be read/],
    ['without a duration', manifest(video(numbered), ''), /does not say how long it is/],
    [
      'with an unknown identifier',
      manifest(video('<SegmentTemplate duration="2" media="$SubNumber$.m4s"/>')),
      /names segments by \$SubNumber\$/,
    ],
    [
      'with segments of no length',
      manifest(
        video(
          '<SegmentTemplate media="$Time$"><SegmentTimeline><S d="0" r="9"/></SegmentTimeline></SegmentTemplate>',
        ),
      ),
      /segments without a duration/,
    ],
  ] as const) {
    it(`a manifest is refused ${what}`, async () => {
      const url = await serveAll({ '/x.mpd': text })
      const [status, said] = await fixture.refusal(`${url}/x.mpd`)
      expect(status).to.equal('INVALID_INPUT_FILE')
      expect(said).to.match(/^in_1: the manifest /)
      expect(said).to.match(message)
    })
  }

  for (const [what, template] of [
    ['a timeline', '<SegmentTimeline><S t="0" d="1" r="999999999999"/></SegmentTimeline>'],
    ['a duration', ''],
  ]) {
    it(`names at most 20,000 segments by ${what ?? ''}`, async () => {
      const attributes = 'timescale="1000000" duration="1" media="$Number$.m4s"'
      const text = `<SegmentTemplate ${attributes}>${template ?? ''}</SegmentTemplate>`
      const url = await serveAll({ '/x.mpd': manifest(video(text)) })
      expect(await fixture.refusal(`${url}/x.mpd`)).to.deep.equal([
        'INPUT_TOO_LARGE',
        'in_1: the playlist names more than 20000 segments',
      ])
    })
  }

  it('names at most 20,000 segments in all of its streams', async () => {
    const template = '<SegmentTemplate duration="1" endNumber="9000" media="$Number$.m4s"/>'
    const sound = `<AdaptationSet mimeType="audio/mp4"><Representation id="a">${template}</Representation></AdaptationSet>`
    const url = await serveAll({ '/x.mpd': manifest(sound.repeat(3)) })
    expect((await fixture.refusal(`${url}/x.mpd`))[0]).to.equal('INPUT_TOO_LARGE')
  })

  it('a manifest has at most 300,000 elements', async () => {
    const url = await serveAll({ '/x.mpd': manifest('<a/>'.repeat(300_000)) })
    expect(await fixture.refusal(`${url}/x.mpd`)).to.deep.equal([
      'INPUT_TOO_LARGE',
      'in_1: the manifest has more than 300000 elements',
    ])
  })

  for (const inside of ['http://10.0.0.1/a.mp4', 'file:///etc/passwd']) {
    it(`a manifest reaches nothing inside through ${inside}`, async () => {
      const url = await serve({ '/x.mpd': manifest(video(`<BaseURL>${inside}</BaseURL>`)) })
      const [status, message] = await fixture.refusal(`${url}/x.mpd`)
      expect(status).to.equal('UNREACHABLE_INPUT_FILE')
      expect(message).to.match(/public address|neither http nor https/)
    })
  }

  it('declares no entities', async () => {
    const text = manifest(video('<BaseURL>&a;</BaseURL>'))
    const bomb = text.replace('<MPD', '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><MPD')
    const url = await serveAll({ '/x.mpd': bomb })
    expect((await fixture.refusal(`${url}/x.mpd`))[1]).to.match(/the manifest cannot be read/)
  })

  it('counts all of it against the largest file of the plan', async () => {
    const body = part('x').padEnd(600_000, 'x')
    const files = Object.fromEntries(
      ['i.mp4', '1.m4s', '2.m4s', '3.m4s'].map((n) => [`/${n}`, body]),
    )
    const url = await serve({ '/x.mpd': manifest(video(numbered)), ...files })
    const [status] = await fixture.refusal(`${url}/x.mpd`, { fileBytes: 1_000_000 })
    expect(status).to.equal('INPUT_TOO_LARGE')
  })

  it('reports the part of its segments that is there', async () => {
    const parts: number[] = []
    const url = await serveAll({ '/x.mpd': manifest(video(numbered)) })
    await fixture.fetch(`${url}/x.mpd`, { onSegments: (fetchedPart) => parts.push(fetchedPart) })
    expect(parts).to.deep.equal([0.25, 0.5, 0.75, 1])
  })

  function serve(
    files: Readonly<Record<string, string>>,
    redirects: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    return fixture.origin(serveFiles(files, redirects))
  }

  /** Has a file with any other name, too. */
  function serveAll(files: Readonly<Record<string, string>>): Promise<string> {
    return fixture.origin(({ url = '' }, response) => {
      response.end(files[url] ?? part(url.slice(1)))
    })
  }

  function paths(): string[] {
    return fixture.requests.map(({ url = '' }) => url)
  }

  /** Files of the streams, in the order of the manifest. */
  async function streams(manifestName = 'in_1.mpd'): Promise<string[]> {
    const text = (await fixture.stored(manifestName)).toString()
    const names = [...text.matchAll(/<BaseURL>(.*)<\/BaseURL>/g)].map(([, name]) => name ?? '')
    const files = await Promise.all(names.map((name) => fixture.stored(name)))
    return files.map(String)
  }
})
