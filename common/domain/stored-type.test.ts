import { expect } from 'chai'
import { mediaTypeOf, storedType } from './stored-type.ts'

describe('the type of a stored file', () => {
  it('follows its extension in any case', () => {
    expect(storedType('a.b/Clip.MP4')).to.deep.equal({
      contentType: 'video/mp4',
      attachment: false,
    })
    expect(storedType('list.m3u8').contentType).to.equal('application/vnd.apple.mpegurl')
    expect(storedType('a.JPEG').contentType).to.equal('image/jpeg')
  })

  const opened: [mediaType: string, extensions: string][] = [
    ['video/mp4', 'mp4 cmfv'],
    ['video/mpeg', 'mpeg mpg m1v vob'],
    ['video/mp2t', 'm2ts mts ts'],
    ['video/x-ms-wmv', 'wmv'],
    ['application/mxf', 'mxf'],
    ['audio/mp4', 'm4a m4b cmfa'],
    ['audio/x-matroska', 'mka'],
    ['audio/webm', 'weba'],
    ['audio/ogg', 'oga ogg'],
    ['audio/ac3', 'ac3'],
    ['audio/eac3', 'eac3'],
    ['audio/aiff', 'aiff aif'],
    ['audio/x-ms-wma', 'wma'],
    ['audio/amr', 'amr'],
    ['audio/x-caf', 'caf'],
    ['audio/basic', 'au'],
    ['image/tiff', 'tif tiff'],
    ['image/heic', 'heic'],
    ['image/jp2', 'jp2'],
    ['image/jls', 'jls'],
  ]
  for (const [mediaType, extensions] of opened) {
    it(`the stored type is ${mediaType} for ${extensions}, which browsers open`, () => {
      for (const extension of extensions.split(' ')) {
        const expected = { contentType: mediaType, attachment: false }
        expect(storedType(`a.${extension}`), extension).to.deep.equal(expected)
        expect(mediaTypeOf(`a.${extension.toUpperCase()}`), extension).to.equal(mediaType)
      }
    })
  }

  it('states the charset of texts, which a browser would have to guess', () => {
    const types = ['a.txt', 'a.log', 'a.csv', 'a.vtt', 'a.ass'].map((name) => storedType(name))
    expect(types.map(({ contentType }) => contentType)).to.deep.equal([
      'text/plain; charset=utf-8',
      'text/plain; charset=utf-8',
      'text/csv; charset=utf-8',
      'text/vtt; charset=utf-8',
      'text/x-ssa; charset=utf-8',
    ])
    expect(mediaTypeOf('a.csv')).to.equal('text/csv')
  })

  const saved =
    'page.html page.htm page.xhtml drawing.svg drawing.svgz feed.xml code.js code.mjs a.swf'
  for (const name of [...saved.split(' '), 'a.pdf', 'a.wasm', 'noextension', 'x.', '']) {
    it(`makes '${name}' something to save, not to open`, () => {
      expect(storedType(name)).to.deep.equal({
        contentType: 'application/octet-stream',
        attachment: true,
      })
    })
  }
})
