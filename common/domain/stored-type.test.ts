import { expect } from 'chai'
import { storedType } from './stored-type.ts'

describe('the type of a stored file', () => {
  it('follows its extension in any case', () => {
    expect(storedType('a.b/Clip.MP4')).to.deep.equal({
      contentType: 'video/mp4',
      attachment: false,
    })
    expect(storedType('list.m3u8').contentType).to.equal('application/vnd.apple.mpegurl')
    expect(storedType('a.JPEG').contentType).to.equal('image/jpeg')
  })

  for (const name of ['page.html', 'drawing.svg', 'feed.xml', 'code.js', 'noextension', 'x.', '']) {
    it(`makes '${name}' something to save, not to open`, () => {
      expect(storedType(name)).to.deep.equal({
        contentType: 'application/octet-stream',
        attachment: true,
      })
    })
  }
})
