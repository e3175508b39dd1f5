import { expect } from 'chai'
import { unknownMedia } from '../../common/gateway/unknown-media.ts'
import { outcomeFromResult } from './outcome-from-result.ts'
import type { Success } from '../../common/gateway/messages.ts'

describe('the outcome of a result', () => {
  const file = (alias: string) => ({
    alias,
    path: 'a/a.m3u8',
    sizeBytes: 1,
    compressedBytes: null,
    fileCount: 2,
    media: unknownMedia,
  })
  function warnings(alias: string, isPrivate: boolean, reported: Success['warnings'] = []) {
    const outcome: Success = { status: 'SUCCESS', files: [file(alias)], warnings: reported }
    const command = { commandType: 'FFMPEG_COMMAND', commandId: 'c', accountId: 'a' } as const
    const made = outcomeFromResult({ outcome }, { ...command, isPrivate }, 'pod', () => 'id')
    return made.status === 'SUCCESS' ? (made.warnings ?? []) : []
  }
  const codes = (...of: Parameters<typeof warnings>) => warnings(...of).map(({ code }) => code)

  it('warns of a playlist that is private', () => {
    expect(codes('out_playlist_1', true)).to.deep.equal(['PRIVATE_PLAYLIST'])
    expect(codes('out_playlist_1', false)).to.deep.equal([])
    expect(codes('out_1', true)).to.deep.equal([])
  })

  it('keeps what the runner warns of, and leaves out codes that it does not know', () => {
    const message = 'in_1 is damaged'
    const reported = [
      { code: 'DAMAGED_INPUT', message, alias: 'in_1' },
      { code: 'OF_A_LATER_RUNNER', message, alias: null },
    ]
    expect(warnings('out_1', false, reported)).to.deep.equal(reported.slice(0, 1))
  })
})
