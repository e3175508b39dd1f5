import { expect } from 'chai'
import { privatePlaylistWarning, privateResultsAdvice } from './private-results.ts'
import type { PrivacyOfResults } from './private-results.ts'

const playlist = { out_playlist_1: 'a.m3u8', out_1: 'a.jpg' }
const webhook_url = 'https://app.example/hook'

/** The subject of each warning, in order. */
const subjects = (request: Partial<PrivacyOfResults>) =>
  privateResultsAdvice({ is_private: true, output_files: { out_1: 'a.mp4' }, ...request }).map(
    ({ alias, message }) => alias ?? /presigned_ttl_seconds \w+ \w+/.exec(message)?.[0],
  )

describe('advice about private results', () => {
  const noEffect = 'presigned_ttl_seconds has no'
  const needed = 'presigned_ttl_seconds makes it'
  const table: [string, Partial<PrivacyOfResults>, (string | undefined)[]][] = [
    ['a private file without a webhook', {}, []],
    ['a public playlist', { is_private: false, output_files: playlist }, []],
    ['a private playlist', { output_files: playlist }, ['out_playlist_1']],
    [
      'a private playlist with presigned URLs',
      { output_files: playlist, presigned_ttl_seconds: 60 },
      ['out_playlist_1'],
    ],
    [
      'two private playlists',
      { output_files: { ...playlist, out_playlist_2: 'b.mpd' } },
      ['out_playlist_1', 'out_playlist_2'],
    ],
    ['a private folder', { output_files: 'OUTPUT_FOLDER' }, []],
    ['a webhook for private files', { webhook_url }, [needed]],
    [
      'a private playlist with a webhook',
      { webhook_url, output_files: playlist },
      ['out_playlist_1', needed],
    ],
    ['a webhook with presigned URLs', { webhook_url, presigned_ttl_seconds: 60 }, []],
    ['a webhook that needs no URL', { webhook_url, presigned_ttl_seconds: 0 }, []],
    ['a webhook for public files', { webhook_url, is_private: false }, []],
    ['a lifetime for public files', { is_private: false, presigned_ttl_seconds: 60 }, [noEffect]],
    ['no lifetime for public files', { is_private: false, presigned_ttl_seconds: 0 }, []],
  ]
  for (const [what, request, expected] of table) {
    it(`private results give ${expected.length === 0 ? 'no advice' : 'a warning'} on ${what}`, () => {
      expect(subjects(request)).to.deep.equal(expected)
    })
  }

  it('names what serves in place of a private playlist', () => {
    const { code, message } = privatePlaylistWarning('out_playlist_1')
    expect(code).to.equal('PRIVATE_PLAYLIST')
    for (const way of ['GET /v1/files/{file_id}/playlist', 'MP4']) {
      expect(message).to.contain(way)
    }
  })
})
