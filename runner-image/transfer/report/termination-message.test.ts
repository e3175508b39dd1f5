import { expect } from 'chai'
import type { OutputFile, Result } from '../../../common/gateway/messages.ts'
import { terminationMessage } from './termination-message.ts'
import { unknownMedia } from '../../../common/gateway/unknown-media.ts'

const facts = {
  steps: [],
  usage: { inputBytes: 1, outputBytes: 2, ffmpegStarted: true, ffmpegRunSeconds: 3 },
  logs: [{ step: 0, sequence: 0, text: 'x'.repeat(10_000) }],
}

function success(files: number): Result {
  const file = (n: number): OutputFile => ({
    alias: `out_${String(n)}`,
    path: `out_${String(n)}.mp4`,
    sizeBytes: 1,
    compressedBytes: null,
    fileCount: null,
    media: unknownMedia,
  })
  return {
    ...facts,
    outcome: { status: 'SUCCESS', files: Array.from({ length: files }, (_, n) => file(n)) },
  }
}

describe('the termination message', () => {
  it('returns the result without its log as termination message', () => {
    expect(JSON.parse(terminationMessage(success(2)) ?? '')).to.deep.equal({
      ...success(2),
      logs: [],
    })
  })
  it('cuts a long error', () => {
    const errorMessage = 'y'.repeat(4000)
    const message = terminationMessage({
      ...facts,
      outcome: { status: 'FAILED', errorStatus: 'FFMPEG_FAILED', errorMessage },
    })
    expect(Buffer.byteLength(message ?? '')).to.be.within(1500, 4096)
  })
  it('returns no termination message when it would not be whole', () => {
    expect(terminationMessage(success(50))).to.equal(null)
  })
})
