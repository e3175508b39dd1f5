import { expect } from 'chai'
import { urlAdvice } from './http-url.ts'

describe('advice for a value that is not an http or https URL', () => {
  const cases: [string, string][] = [
    ['s3://bucket/key.mp4', 'aws s3 presign'],
    ['gs://bucket/key.mp4', 'gs: is not fetched; send a signed https URL'],
    ['ftp://files.example/a.mp4', 'ftp: is not fetched; offer the file at an http or https URL'],
    ['rtmp://live.example/a', 'rtmp: is not fetched'],
    ['data:video/mp4;base64,AAAA', 'data: URLs are not fetched; upload the file'],
    ['/home/ada/clip.mov', "a path of the client's own machine; upload the file"],
    [String.raw`C:\Users\ada\clip.mov`, "a path of the client's own machine"],
    ['./clip.mov', "a path of the client's own machine"],
    ['file:///tmp/clip.mov', "a path of the client's own machine"],
    ['clip.mov', 'Input is a file name, not a URL; upload the file'],
    ['https://ada:secret@media.example/a.mov', 'Input contains a user name or password'],
    ['{{ $json.url }}', 'a template {{…}} that was not filled in'],
    ['media.example/a.mov', "did you mean 'https://media.example/a.mov'?"],
    ['https:media.example/a.mov', "Input lacks '//' after its scheme"],
    [`https://media.example/${'a'.repeat(9_000)}`, 'at most 8192 characters; this one has 9022'],
    ['http://[::1', 'Input is not a valid URL'],
    ['', 'Input should be an http or https URL'],
  ]
  for (const [value, expected] of cases) {
    it(`says what to do instead of ${value.slice(0, 40) || 'an empty text'}`, () => {
      expect(urlAdvice(value)).to.include(expected)
    })
  }

  it('the advice for a URL does not repeat a password', () => {
    expect(urlAdvice('https://ada:secret@media.example/a.mov')).not.to.include('secret')
  })
})
