import { expect } from 'chai'
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
    ['decoded once', 'https://h/%C3%A4%2520.mp4', {}, 'ä%20.mp4'],
    [
      'the URL before the header',
      'https://h/a.mp4',
      { contentDisposition: 'attachment; filename="b.mov"' },
      'a.mp4',
    ],
    [
      'the header where the URL has no extension',
      'https://h/download',
      { contentDisposition: 'attachment; filename="b c.mov"' },
      'b c.mov',
    ],
    [
      'filename* before filename',
      'https://h/download',
      { contentDisposition: `attachment; filename="x.mov"; filename*=UTF-8''na%C3%AFve.mov` },
      'naïve.mov',
    ],
    [
      'the address after redirects',
      'https://h/download',
      { url: 'https://cdn/q/b.webm?x=1' },
      'b.webm',
    ],
    [
      'an extension by the type',
      'https://h/download',
      { url: 'https://h/download', contentType: 'video/mp4; codecs=avc1' },
      'download.mp4',
    ],
    ['no extension at last', 'https://h/download', { url: 'https://h/download' }, 'download'],
    [
      'not a path that a server sends',
      'https://h/download',
      { url: 'https://h/download', contentDisposition: 'attachment; filename="../../x.mp4"' },
      'download',
    ],
    [
      'a header for a URL that ends in a slash',
      'https://h/a/',
      { contentDisposition: 'inline; filename=c.mkv' },
      'c.mkv',
    ],
  ]
  for (const [name, url, answer, expected] of table) {
    it(`names an input ${name}`, () => {
      expect(chooseFileName(url, { ...silent, ...answer })).to.deep.equal({
        ok: true,
        name: expected,
      })
    })
  }

  for (const url of ['https://h/', 'https://h/a/', 'https://h/a%2Fb.mp4', 'https://h/x%00.mp4']) {
    it(`finds no file name in ${url}`, () => {
      expect(chooseFileName(url, silent).ok).to.equal(false)
    })
  }
  for (const url of [
    'https://h/%2e%2e%2fetc%2fpasswd',
    'https://h/%zz.mp4',
    'https://h/a%5Cb.mp4',
  ]) {
    it(`is refused in ${url} for any header of the server`, () => {
      const answer = { ...silent, contentDisposition: 'inline; filename=good.mp4' }
      expect(chooseFileName(url, answer).ok).to.equal(false)
    })
  }
})
