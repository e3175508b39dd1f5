import { expect } from 'chai'
import { etagOf, isUnchanged } from './etag.ts'

describe('isUnchanged', () => {
  const etag = etagOf('body')

  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    it(`returns true when If-None-Match is ${known}`, () => {
      expect(isUnchanged({ 'if-none-match': known }, etag)).to.equal(true)
    })
  }

  for (const headers of [
    {},
    { 'if-none-match': '' },
    { 'if-none-match': etagOf('other') },
    { 'if-none-match': etag, 'cache-control': 'max-age=0, no-cache' },
  ]) {
    it(`returns false when the request has ${JSON.stringify(headers)}`, () => {
      expect(isUnchanged(headers, etag)).to.equal(false)
    })
  }
})
