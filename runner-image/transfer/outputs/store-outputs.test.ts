import { expect } from 'chai'
import { unknownMedia } from '../../../common/gateway/unknown-media.ts'
import { outputFile } from './store-outputs.ts'

describe('the record of an output', () => {
  for (const [name, format] of [
    ['index.m3u8', 'm3u8'],
    ['manifest.MPD', 'mpd'],
  ] as const) {
    it(`records a playlist even when ${name} cannot be probed`, () => {
      const path = `out_playlist_1/${name}`
      const files = [
        { path: 'out_playlist_1/index0.ts', sizeBytes: 7, rank: 0 as const },
        { path, sizeBytes: 3, rank: 2 as const },
      ]
      const output = { alias: 'out_playlist_1', path, files, isPlaylist: true }
      const record = outputFile(output, { ...unknownMedia, file_type: 'other' })
      expect(record).to.include({ fileCount: 2, sizeBytes: 10 })
      expect(record.media).to.include({ file_type: 'output_manifest', file_format: format })
    })
  }

  it('reports the result of the probe for any other file', () => {
    const files = [{ path: 'a.bin', sizeBytes: 7, rank: 0 as const }]
    const output = { alias: 'out_1', path: 'a.bin', files, isPlaylist: false }
    expect(outputFile(output, unknownMedia).media).to.deep.equal(unknownMedia)
  })
})
