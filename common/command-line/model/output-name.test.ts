import { expect } from 'chai'
import { outputNameProblem, outputPath, playlistProblem } from './output-name.ts'

describe('outputNameProblem', () => {
  for (const name of ['a.mp4', '_a', '0.ts', 'A-b_c.d.mkv', 'a'.repeat(200)]) {
    it(`accepts the name ${name.slice(0, 20)}`, () => {
      expect(outputNameProblem(name)).to.equal(null)
    })
  }

  const refused: [string, string][] = [
    ['', 'must have'],
    ['a/b.mp4', 'contains a folder'],
    ['f%03d.png', 'OUTPUT_FOLDER'],
    ['a b.mp4', 'must have'],
    ['.a', 'begin with'],
    ['-y.mp4', 'begin with'],
    ['é.mp4', 'must have'],
    ['a\n', 'must have'],
    ['a'.repeat(201), '1 to 200'],
  ]
  for (const [name, words] of refused) {
    it(`refuses the name ${JSON.stringify(name.slice(0, 20))}`, () => {
      expect(outputNameProblem(name)).to.contain(words)
    })
  }
})

describe('what stands in place of an output name', () => {
  for (const expression of [
    '{{$json.name}}',
    '{{ 1.title }}',
    '${name}',
    '<%= name %>',
    '{% name %}',
    '#{name}',
    '%(name)s',
    '{name}',
    '%NAME%',
  ]) {
    it(`an output name is the expression ${expression} that was not filled in`, () => {
      expect(outputNameProblem(`${expression}.mp4`)).to.contain(
        `holds the expression '${expression}', which was not filled in`,
      )
    })
  }

  for (const url of [
    's3://b/a.mp4',
    'https://x.example/b/a.mp4?k=1',
    'rtmp://live.example/a.mp4',
  ]) {
    it(`an output name is the URL ${url}, of which the name can stay`, () => {
      expect(outputNameProblem(url)).to.contain('is a URL; the service stores outputs itself')
      expect(outputNameProblem(url)).to.contain("'a.mp4', and fetch it from its storage_url")
    })
  }

  it('an output name is a pattern where two numbers follow each other', () => {
    expect(outputNameProblem('f%03d_%d.png')).to.contain('is a pattern')
  })

  it('a mistake in an output name is known of any text in a moment', () => {
    expect(outputNameProblem('{'.repeat(1_000_000))).to.contain('must have')
  })
})

describe('playlistProblem', () => {
  it('rejects a name that does not fit its alias', () => {
    expect(playlistProblem('out_playlist_1', 'a.m3u8')).to.equal(null)
    expect(playlistProblem('out_playlist_x', 'a.mpd')).to.equal(null)
    expect(playlistProblem('out_1', 'a.mp4')).to.equal(null)
    expect(playlistProblem('out_1', 'a.m3u8')).to.contain("begin with 'out_playlist_'")
    expect(playlistProblem('out_playlist_1', 'a.mp4')).to.contain('.m3u8 or .mpd')
  })
})

describe('outputPath', () => {
  it('gives a playlist its own folder', () => {
    expect(outputPath('out_playlist_1', 'a.m3u8')).to.equal('out_playlist_1/a.m3u8')
    expect(outputPath('out_1', 'a.mp4')).to.equal('a.mp4')
  })
})
