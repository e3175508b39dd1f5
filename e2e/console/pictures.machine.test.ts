import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { useScratch } from '../../testing/support/scratch.ts'
import { takePictures } from './take-pictures.fixture.ts'

describe('the pictures of the README', () => {
  const at = useScratch()

  it('the pictures of the README show the list of commands with each state, at twice 1280 by 800', async () => {
    const text = await takePictures(at('images'))
    for (const shown of [
      'Encoding',
      'Queued',
      'Done',
      'Failed',
      'Cancelled',
      'It needs 8 vCPUs; your account uses 16 of its 16',
      "FFmpeg refused the command: No such filter: 'scal'",
    ]) {
      expect(text).to.contain(shown)
    }
    for (const scheme of ['light', 'dark']) {
      const png = await readFile(at('images', `console-${scheme}.png`))
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([2_560, 1_600])
    }
  })
})
