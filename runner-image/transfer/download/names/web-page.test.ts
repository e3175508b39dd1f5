import { expect } from 'chai'
import fc from 'fast-check'
import { looksLikeWebPage } from './web-page.ts'

describe('a web page in place of a file', () => {
  const pages = [
    '<!DOCTYPE html><html>',
    '\ufeff\r\n  <!doctype HTML>',
    '<html lang="en">',
    '<!-- saved --> <html>',
    '<!----><!-- > -- -> --->\t<html>',
  ]
  for (const page of pages) {
    it(`recognises a web page by ${JSON.stringify(page)}`, () => {
      expect(looksLikeWebPage(Buffer.from(page), 'a.mp4')).to.equal(true)
    })
  }
  for (const other of ['<!DOCTYPE svg PUBLIC', '<htmlx', 'RIFF', '', '#EXTM3U', '<!-- <html>']) {
    it(`finds no web page in ${JSON.stringify(other)}`, () => {
      expect(looksLikeWebPage(Buffer.from(other), 'a.mp4')).to.equal(false)
    })
  }
  it('recognises a web page behind any comments and blanks', () => {
    const comment = fc.string({ unit: fc.constantFrom(...'<!-> a'.split('')), maxLength: 12 })
    const front = fc.array(
      fc.oneof(
        fc.constantFrom(' ', '\n', '\t'),
        comment.filter((text) => !`${text}--`.includes('-->')).map((text) => `<!--${text}-->`),
      ),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(front, (pieces) => {
        expect(looksLikeWebPage(Buffer.from(`${pieces.join('')}<html>`), 'a.mp4')).to.equal(true)
      }),
    )
  })
  const units = [
    '<!---->',
    '<!-- -->',
    '<!--->',
    '<!--',
    '-->',
    ' ',
    '\n<!---->',
    '<!doctype ',
    '<',
  ]
  for (const unit of units) {
    it(`a kilobyte of ${JSON.stringify(unit)} is at once found to be no web page`, () => {
      expect(looksLikeWebPage(Buffer.from(unit.repeat(1024)), 'a.mp4')).to.equal(false)
    })
  }
  it('a web page is accepted when the file name ends in .html', () => {
    expect(looksLikeWebPage(Buffer.from('<html>'), 'page.HTM')).to.equal(false)
  })
})
