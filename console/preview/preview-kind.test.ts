import { expect } from 'chai'
import { nameOf, previewKind } from './preview-kind.ts'

describe('previewKind', () => {
  const kind = (name: string, change: object = {}) =>
    previewKind({
      storage_url: `https://s3.example/a/${name}`,
      codec: null,
      ...change,
    })

  it('previewKind returns what a browser shows of a file by the end of its name, in any case', () => {
    const names = [
      'a.PNG',
      'a.jpeg',
      'a.svg',
      'a.mp4',
      'a.MOV',
      'a.flac',
      'a.m3u8',
      'a.mkv',
      'a.ts',
      'a',
      'png',
    ]
    expect(names.map((name) => kind(name))).to.deep.equal([
      'image',
      'image',
      'image',
      'video',
      'video',
      'audio',
      'playlist',
      'none',
      'none',
      'none',
      'none',
    ])
  })

  it('previewKind returns none for a video whose codec browsers do not play', () => {
    expect(kind('a.mp4', { codec: 'h264' })).to.equal('video')
    expect(kind('a.mp4', { codec: 'hevc' })).to.equal('none')
    expect(kind('a.mp3', { codec: 'mp3' })).to.equal('audio')
  })

  it('nameOf returns the end of the path of a URL, not of its query', () => {
    expect(kind('a.mp4?name=b.png')).to.equal('video')
    expect(nameOf({ storage_url: 'https://s3.example/a/caf%C3%A9.mov?x=/y.png' })).to.equal(
      'café.mov',
    )
    expect(
      [null, 'x', 'https://s3.example/%zz'].map((url) => nameOf({ storage_url: url })),
    ).to.deep.equal(['', '', ''])
  })
})
