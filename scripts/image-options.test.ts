import { expect } from 'chai'
import { imageOptions } from './image-options.ts'

describe('imageOptions', () => {
  it('uses the version as the tag, and pushes only with --push', () => {
    expect(imageOptions(['--registry', 'registry.example.com/media'], '1.2.3')).to.deep.equal({
      registry: 'registry.example.com/media',
      tag: '1.2.3',
      push: false,
      layouts: null,
      ffmpeg: 'debian',
      extraFonts: [],
    })
    expect(
      imageOptions(['--registry', 'localhost:5000', '--tag', 'next', '--push'], '1.2.3'),
    ).to.deep.equal({
      registry: 'localhost:5000',
      tag: 'next',
      push: true,
      layouts: null,
      ffmpeg: 'debian',
      extraFonts: [],
    })
  })

  it('uses the hardened FFmpeg with its option', () => {
    const options = imageOptions(['--registry', 'localhost:5000', '--hardened'], '1.2.3')
    expect(options.ffmpeg).to.equal('hardened')
  })

  it('takes a folder for the images as they are pushed', () => {
    const options = imageOptions(['--registry', 'localhost:5000', '--layouts', 'here'], '1.2.3')
    expect(options.layouts).to.equal('here')
  })

  it('takes packages of fonts, and none of anything else', () => {
    const chosen = (fonts: string) =>
      imageOptions(['--registry', 'localhost:5000', `--extra-fonts=${fonts}`], '1').extraFonts
    expect(chosen('fonts-noto-cjk fonts-nanum')).to.deep.equal(['fonts-noto-cjk', 'fonts-nanum'])
    for (const other of ['bash', 'fonts-x; true', '--purge', 'fonts-']) {
      expect(() => chosen(other), other).to.throw("names of Debian's packages of fonts")
    }
  })

  it('reports a missing registry', () => {
    expect(() => imageOptions([], '1.2.3')).to.throw('--registry is missing')
  })

  for (const registry of [
    'https://registry.example.com',
    'registry.example.com/',
    'registry.example.com/Media',
    'media',
    '',
  ]) {
    it(`refuses ${JSON.stringify(registry)} as a registry`, () => {
      expect(() => imageOptions(['--registry', registry], '1.2.3')).to.throw('a host with a dot')
    })
  }

  it('rejects an invalid tag', () => {
    expect(() => imageOptions(['--registry', 'localhost:5000', '--tag', 'a/b'], '1')).to.throw(
      '--tag a/b',
    )
  })
})
