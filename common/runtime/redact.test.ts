import { expect } from 'chai'
import { redact } from './redact.ts'

describe('a redacted text', () => {
  it('keeps the parts of URLs that are not secret', () => {
    const texts: Record<string, string> = {
      'at http://a/b?c, HTTPS://d:1/e?f=g "https://h/?i"':
        'at http://a/b?… HTTPS://d:1/e?… "https://h/?…"',
      'what? http://a/b#c?d and xhttp://a?b': 'what? http://a/b#c?d and xhttp://a?b',
      's3://key:secret@host/a, http://u@h/a?b': 's3://…@host/a, http://…@h/a?…',
      'mail a@b.c about http://h/@a': 'mail a@b.c about http://h/@a',
    }
    for (const [text, redacted] of Object.entries(texts)) expect(redact(text)).to.equal(redacted)
  })

  for (const unit of ['a.', 'http://', 'http://x,', 'a://', '?', '://?', 'Bearer ', 'cff_']) {
    it(`redacts a megabyte of ${unit} in linear time`, () => {
      expect(redact(unit.repeat(1024 * 1024)).length).to.be.above(0)
    })
  }
})
