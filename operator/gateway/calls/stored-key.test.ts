import { expect } from 'chai'
import { storedKey } from './stored-key.ts'

const bases = ['https://cdn.example', 'http://10.0.0.1:9000/media/']

describe('storedKey', () => {
  const cases: [string, string | null][] = [
    ['https://cdn.example/public/a/o.mp4', 'public/a/o.mp4'],
    ['https://cdn.example/private/a/o%20b.mp4?X-Amz-Signature=1', 'private/a/o b.mp4'],
    ['http://10.0.0.1:9000/media/public/a/o.mp4', 'public/a/o.mp4'],
    ['http://10.0.0.1:9000/other/public/a/o.mp4', null],
    ['http://10.0.0.1:9001/media/public/a/o.mp4', null],
    ['https://cdn.example.evil/public/a/o.mp4', null],
    ['https://cdn.example/index.html', null],
    ['https://cdn.example/public/%zz', 'public/%zz'],
    ['https://cdn.example./public/a/o.mp4', 'public/a/o.mp4'],
    ['https://CDN.example/%70ublic/a/../b/o%2emp4', 'public/b/o.mp4'],
    ['http://10.0.0.1:9000/m%65dia/public/a/o.mp4', 'public/a/o.mp4'],
    ['not a url', null],
  ]
  for (const [url, key] of cases) {
    it(`reads ${url} as ${key ?? 'the URL of another server'}`, () => {
      expect(storedKey(url, bases)).to.equal(key)
    })
  }
})
