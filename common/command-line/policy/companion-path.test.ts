import { expect } from 'chai'
import { argvOf, folders, refusalOf } from '../../../testing/support/plan-one.ts'

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
})
