import { expect } from 'chai'
import { looksLikeWebPage } from './web-page.ts'

describe('a web page in place of a file', () => {
  const pages = [
    '<!DOCTYPE html><html>',
    '\ufeff\r\n  <!doctype HTML>',
    '<html lang="en">',
    '<!-- saved --> <html>',
  ]
  for (const page of pages) {
    it(`is known by ${JSON.stringify(page)}`, () => {
      expect(looksLikeWebPage(Buffer.from(page), 'a.mp4')).to.equal(true)
    })
  }
  for (const other of ['<!DOCTYPE svg PUBLIC', '<htmlx', 'RIFF', '', '#EXTM3U']) {
    it(`is not ${JSON.stringify(other)}`, () => {
      expect(looksLikeWebPage(Buffer.from(other), 'a.mp4')).to.equal(false)
    })
  }
  it('is what an .html name asks for', () => {
    expect(looksLikeWebPage(Buffer.from('<html>'), 'page.HTM')).to.equal(false)
  })
})
