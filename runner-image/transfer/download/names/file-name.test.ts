import { expect } from 'chai'
import fc from 'fast-check'
import { chooseFileName } from './file-name.ts'
import type { AnswerNames } from './file-name.ts'

const silent: AnswerNames = {
  url: 'https://h.example/',
  contentDisposition: undefined,
  contentType: undefined,
}

describe("an input's file name", () => {
  const table: [string, string, Partial<AnswerNames>, string][] = [
    ['the last segment', 'https://h/x/a.mp4?sig=1#t', {}, 'a.mp4'],
    ['the last segment, decoded once', 'https://h/%C3%A4%2520.mp4', {}, 'ä%20.mp4'],
    [
      'the end of a path in one segment',
      'https://h/o/clips%2Fsummer.mp4?alt=media',
      {},
      'summer.mp4',
    ],
    ['bytes outside UTF-8 in Latin-1', 'https://h/f/%C9t%E9.mp4', {}, 'Été.mp4'],
    ['a percent sign without digits as it is', 'https://h/100%.mp4', {}, '100%.mp4'],
    ['no folder of the server', 'https://h/%2e%2e%2fetc%2fmovie.mov', {}, 'movie.mov'],
    ['no control characters', 'https://h/a%00b%0a.mp4', {}, 'ab.mp4'],
    ['the header before the URL', 'https://h/a.mp4', header('filename="b.mov"'), 'b.mov'],
    [
      'the real extension behind a script',
      'https://h/download.php?id=4',
      header('filename="warm.cube"'),
      'warm.cube',
    ],
    [
      'filename* before filename',
      'https://h/d',
      header(`filename="x.mov"; filename*=UTF-8''na%C3%AFve.mov`),
      'naïve.mov',
    ],
    ['filename* in Latin-1', 'https://h/d', header(`filename*=ISO-8859-1''%C9t%E9.mov`), 'Été.mov'],
    [
      'blanks without quotes',
      'https://h/d',
      header('filename=holiday film.mov; size=4'),
      'holiday film.mov',
    ],
    [
      'a header that begins with the name',
      'https://h/d',
      { contentDisposition: 'filename="b.mov"' },
      'b.mov',
    ],
    ['quotes that are not closed', 'https://h/d', header('filename="b.mov'), 'b.mov'],
    ['no path of the header', 'https://h/d', header('filename="../../x.mp4"'), 'x.mp4'],
    [
      'no Windows path of the header',
      'https://h/d',
      header(String.raw`filename="C:\clips\x.mp4"`),
      'x.mp4',
    ],
    [
      'the URL where the header has no extension',
      'https://h/a.mp4',
      header('filename=download'),
      'a.mp4',
    ],
    [
      'the URL where the header ends in a number',
      'https://h/a.mp4',
      header('filename="Report 2.0"'),
      'a.mp4',
    ],
    [
      'the address after redirects',
      'https://h/download',
      { url: 'https://cdn/q/b.webm?x=1' },
      'b.webm',
    ],
    [
      'the address after redirects before a script',
      'https://h/d.php',
      { url: 'https://cdn/b.webm' },
      'b.webm',
    ],
    [
      'an extension by the type',
      'https://h/download',
      { contentType: 'video/mp4; codecs=avc1' },
      'download.mp4',
    ],
    [
      'an extension by the type behind a script',
      'https://h/get.php',
      { contentType: 'video/mp4' },
      'get.mp4',
    ],
    [
      'an extension by the type behind a version',
      'https://h/v1.5',
      { contentType: 'video/mp4' },
      'v1.5.mp4',
    ],
    [
      'the URL where the type is generic',
      'https://h/a.xyz',
      { contentType: 'application/octet-stream' },
      'a.xyz',
    ],
    ['no extension at last', 'https://h/download', {}, 'download'],
    ['a header for a URL that ends in a slash', 'https://h/a/', header('filename=c.mkv'), 'c.mkv'],
    [
      'the alias in place of a token',
      `https://h/${'t'.repeat(600)}`,
      { contentType: 'audio/mpeg' },
      'in_1.mp3',
    ],
    ['the alias with the extension of a token', `https://h/${'t'.repeat(600)}.mp4`, {}, 'in_1.mp4'],
    [
      'the header in place of a token',
      `https://h/${'t'.repeat(600)}`,
      header('filename="b.mov"'),
      'b.mov',
    ],
    [
      'the alias in place of a long header',
      'https://h/a',
      header(`filename="${'t'.repeat(300)}.mov"`),
      'in_1.mov',
    ],
  ]
  for (const [name, url, answer, expected] of table) {
    it(`the file name of an input is ${name}`, () => {
      const source = { alias: 'in_1', url }
      expect(chooseFileName(source, { ...silent, url, ...answer })).to.equal(expected)
    })
  }

  for (const url of ['https://h/', 'https://h/a/', 'https://h/a%2F', 'https://h/%2e%2e%2f..']) {
    it(`the file name of an input is missing in ${url}`, () => {
      expect(chooseFileName({ alias: 'in_1', url }, { ...silent, url })).to.equal(null)
    })
  }

  it('a file name never leads out of its folder, for any URL and any header', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string({ unit: 'binary-ascii' }), (url, disposition) => {
        const name = chooseFileName(
          { alias: 'in_1', url },
          { ...silent, url, ...header(`filename="${disposition}"`) },
        )
        expect(name ?? 'none').to.match(/^[^/\\\p{Cc}]{1,255}$/u)
        expect(name).to.not.be.oneOf(['.', '..'])
      }),
    )
  })
})

function header(parameters: string): Partial<AnswerNames> {
  return { contentDisposition: `attachment; ${parameters}` }
}
