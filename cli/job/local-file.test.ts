import { writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { useFolder } from '../../testing/support/mocha.ts'
import { cli } from '../cli.fixture.ts'

describe('a file of this machine', () => {
  const inFolder = useFolder()
  beforeEach(() => writeFile(inFolder('clip.mov'), 'a clip'))

  const tail = ['--', '-i', '{{in_1}}', '{{out_1}}']
  /** Nothing listens on this port: these errors come before any request to the service. */
  const call = (...args: string[]) =>
    cli(args, { url: 'http://127.0.0.1:9', key: 'k', folder: inFolder() })

  it('a local file is reported missing with its path before any request to the service', async () => {
    const missing = inFolder('no such.mov')
    for (const args of [
      ['run', '-i', `in_1=${missing}`, '-o', 'out_1=a.mp4', ...tail],
      ['run', '--input-zip', missing, '-o', 'out_1=a.mp4', '--', '-i', 'a.mov', '{{out_1}}'],
      ['files', 'upload', missing],
      ['files', 'upload', `${missing}/deeper`],
    ]) {
      const { code, err } = await call(...args)
      expect(code, args.join(' ')).to.equal(2)
      const file = args.find((arg) => arg.startsWith(missing)) ?? missing
      expect(err).to.contain(`cloud-ffmpeg: No file ${file} here. A URL begins with https://`)
    }
  })

  it('a local file must not be a folder', async () => {
    const { code, err } = await call('files', 'upload', inFolder())
    expect([code, err.split('\n')[0]]).to.deep.equal([
      2,
      `cloud-ffmpeg: ${inFolder()} is not a regular file`,
    ])
  })

  it('standard input and output are not taken for local files', async () => {
    const clip = inFolder('clip.mov')
    for (const [place, args] of [
      ['in_1', ['run', '-i', 'in_1=-', '-o', 'out_1=a.mp4', ...tail]],
      ['in_1', ['validate', '-i', 'in_1=-', '-o', 'out_1=a.mp4', ...tail]],
      ['out_1', ['run', '-i', `in_1=${clip}`, '-o', 'out_1=-', ...tail]],
      ['--input-zip', ['run', '--input-zip', '-', '-o', 'out_1=a.mp4', ...tail]],
      ['PATH', ['files', 'upload', '-']],
      ['PATH', ['files', 'download', 'some-id', '-']],
    ] as const) {
      const { code, err } = await call(...args)
      expect(code, args.join(' ')).to.equal(2)
      expect(err).to.contain(`cloud-ffmpeg: ${place}: standard input and output are not supported`)
    }
  })
})
