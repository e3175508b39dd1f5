import { expect } from 'chai'
import { prefersHtml } from './prefers-html.ts'

describe('prefersHtml', () => {
  for (const accept of ['text/html', 'text/*, */*;q=0.1', 'text/html, application/json']) {
    it(`returns true when a client accepts ${accept}`, () => {
      expect(prefersHtml(accept)).to.equal(true)
    })
  }

  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json, text/html',
    'text/html;q=0.5, application/json',
    'text/html;q=0, */*',
    'image/png',
  ]) {
    it(`returns false when a client accepts ${accept}`, () => {
      expect(prefersHtml(accept)).to.equal(false)
    })
  }
})
