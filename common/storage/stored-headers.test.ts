import { expect } from 'chai'
import { headersOf, storedHeaders } from './stored-headers.ts'

const forever = 'public, max-age=31536000, immutable'
const never = 'private, max-age=0'

describe('the headers of a stored object', () => {
  const cases: [key: string, prefix: string, cacheControl: string][] = [
    ['public/account/command/attempt/o.mp4', '', forever],
    ['private/account/command/attempt/o.mp4', '', never],
    ['staging/public/account/file/o.mp4', 'staging/', forever],
    ['staging/private/account/file/public/o.mp4', 'staging/', never],
    ['public/private/account/logs/command.txt', 'public/', never],
    ['elsewhere/o.mp4', '', never],
  ]
  for (const [key, prefix, cacheControl] of cases) {
    it(`the headers let caches keep '${key}' below '${prefix}' as '${cacheControl}'`, () => {
      const object = { key, contentType: 'video/mp4', attachment: false }
      expect(headersOf(storedHeaders(object, prefix))).to.deep.equal({
        'content-type': 'video/mp4',
        'cache-control': cacheControl,
      })
    })
  }

  it('stored objects have a disposition only where browsers are to save the object', () => {
    const object = { key: 'public/a', contentType: 'a/b', attachment: true }
    expect(headersOf(storedHeaders(object, ''))).to.include({ 'content-disposition': 'attachment' })
  })
})
