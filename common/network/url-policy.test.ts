import { expect } from 'chai'
import { urlRefusal } from './url-policy.ts'

describe('which URLs are tried at all', () => {
  const table: [string, string | null][] = [
    ['https://media.example.com/a.mp4', null],
    ['http://media.example.com:8080/a.mp4', null],
    ['https://8.8.8.8/a.mp4', null],
    ['https://[2606:4700::1111]/a.mp4', null],
    ['ftp://media.example.com/a.mp4', 'is neither http nor https'],
    ['file:///etc/passwd', 'is neither http nor https'],
    ['https://user:pw@media.example.com/a', 'holds a user name or password'],
    ['http://media.example.com:22/a', 'uses port 22; 80, 443 and ports above 1023 are open'],
    ['https://media.example.com:80/a', null],
    ['http://localhost/a.mp4', 'is not at a public address'],
    ['http://localhost./a.mp4', 'is not at a public address'],
    ['http://postgres/a.mp4', 'is not at a public address'],
    ['http://gateway.cloud-ffmpeg.svc/a', 'is not at a public address'],
    ['http://gateway.cloud-ffmpeg.svc.cluster.local./a', 'is not at a public address'],
    ['http://metadata.google.internal/a', 'is not at a public address'],
    ['http://printer.local/a', 'is not at a public address'],
    ['http://svc.example.com/a', null],
  ]
  for (const [url, refusal] of table) {
    it(`${refusal === null ? 'tries' : 'refuses'} ${url}`, () => {
      expect(urlRefusal(new URL(url))).to.equal(refusal)
    })
  }

  it('leaves every spelling of a loopback address to the address check', () => {
    const spellings = [
      '127.1',
      '0x7f000001',
      '2130706433',
      '0177.0.0.1',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
    ]
    expect(spellings.map((host) => new URL(`http://${host}/`).hostname)).to.deep.equal(
      spellings.map(() => '127.0.0.1'),
    )
  })
})
