import { expect } from 'chai'
import { argvOf, errorsOf, folders, refusalOf } from '../../../testing/support/plan-one.ts'

describe('files beside an output', () => {
  it("puts the key of an encrypted playlist into the playlist's folder", () => {
    const outputs = { outputs: { out_playlist_1: 'm.m3u8' } }
    const command = '-i {{in_1}} -hls_enc 1 -hls_enc_key_url film.key {{out_playlist_1}}'
    expect(argvOf(command, outputs)).to.include('out_playlist_1/film.key')
    expect(argvOf('-i a.mp4 -hls_enc 1 -hls_enc_key_url film.key hls/m.m3u8', folders)).to.include(
      'film.key',
    )
    const address = command.replace('film.key', 'https://keys.example/film.key')
    expect(refusalOf(address, outputs)).to.equal('command_forbidden -hls_enc_key_url')
  })

  for (const option of ['-init_seg_name', '-media_seg_name']) {
    it(`files beside an output get a bare name for one in a folder that FFmpeg would have to make: ${option}`, () => {
      const outputs = { outputs: { out_playlist_1: 'm.mpd' } }
      const dash = (name: string): string =>
        `-i {{in_1}} -f dash ${option} '${name}' {{out_playlist_1}}`
      const [error] = errorsOf(dash('r$RepresentationID$/s$Number%05d$.m4s'), outputs)
      expect(error?.message).to.contain('write a bare name, as r$RepresentationID$_s$Number%05d$')
      expect(refusalOf(dash('r$RepresentationID$_s$Number$.m4s'), outputs)).to.equal('accepted')
      expect(refusalOf(dash('parts/r$RepresentationID$_$Number$.m4s'), outputs)).to.equal(
        'accepted',
      )
    })
  }
})
