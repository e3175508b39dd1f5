import { expect } from 'chai'
import extensions from '../../common/command-line/grammar/output-extensions.json' with { type: 'json' }
import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import { useFfmpeg } from './use-ffmpeg.ts'

describe('the formats that FFmpeg chooses by the name of an output', () => {
  const ffmpeg = useFfmpeg()

  it('lists the extensions for which FFmpeg chooses a format in the table', async () => {
    const listing = await ffmpeg('-muxers')
    const muxers = Array.from(listing.matchAll(/^ .E. (\S+)/gm), ([, name = '']) => name)
    expect(muxers.length).to.be.greaterThan(150)
    const found: string[] = []
    for (const muxer of muxers) {
      const help = await ffmpeg('-h', `muxer=${muxer}`)
      found.push(...(/Common extensions: (.+)\.$/m.exec(help)?.[1]?.split(',') ?? []))
    }
    // One is listed with a blank and in capitals too. Of the two muxers by the name of matroska the help
    // shows one; the other is that for sound alone.
    const names = [...found.map((name) => name.trim().toLowerCase()), 'mka']
    expect([...new Set(names)].toSorted()).to.deep.equal(extensions)
  })

  for (const name of ['movie', 'movie.', 'movie.xyz', 'mp4', 'a.mp4.part', 'a.mp4v', 'a.heic']) {
    it(`finds no format of FFmpeg for ${name}, which is refused in output_files`, async () => {
      const outputs = { out_1: name }
      const submission = { inputAliases: [], outputs, inputFolder: false, chained: false }
      const commands = ['-f lavfi -i color=s=16x16:d=0.04 {{out_1}}']
      const planned = planCommands({ ...submission, commands })
      expect(planned.ok ? [] : planned.errors.map(({ token }) => token)).to.deep.equal([
        '{{out_1}}',
      ])
      const words = await ffmpeg('-f', 'lavfi', '-i', 'color=s=16x16:d=0.04', name)
      expect(words).to.contain(`Unable to choose an output format for '${name}'`)
    })
  }

  it('finds a format of FFmpeg for a.mka, which its listing omits', async () => {
    const words = await ffmpeg('-f', 'lavfi', '-i', 'sine=d=0.04', 'no-such-folder/a.mka')
    expect(words).to.contain('No such file or directory').and.not.to.contain('Unable to choose')
  })
})
