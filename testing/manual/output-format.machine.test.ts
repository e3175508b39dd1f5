import { expect } from 'chai'
import extensions from '../../common/command-line/grammar/output-extensions.json' with { type: 'json' }
import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import { CommandFailed, runCommand } from '../../e2e/cluster/host/run-command.ts'
import { clusterSettings } from '../../e2e/cluster/host/settings.ts'
import { runnerRoot } from '../../e2e/installation/build-runner.ts'

describe('the formats that FFmpeg chooses by the name of an output', function () {
  this.timeout(120_000)
  let root = ''
  before(async function () {
    this.timeout(600_000)
    const say = (text: string): void => console.log(`      ${text}`)
    root = await runnerRoot({ settings: clusterSettings(process.env), say })
  })

  it('are those of the extensions in the table', async () => {
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
    it(`are none for ${name}, which is refused in output_files`, async () => {
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

  it('are known for a.mka, of which no listing speaks', async () => {
    const words = await ffmpeg('-f', 'lavfi', '-i', 'sine=d=0.04', 'no-such-folder/a.mka')
    expect(words).to.contain('No such file or directory').and.not.to.contain('Unable to choose')
  })

  /** What FFmpeg prints, or says when it refuses: a refusal is an answer here. */
  async function ffmpeg(...args: string[]): Promise<string> {
    const argv = [root, '/usr/bin/ffmpeg', '-hide_banner', '-nostdin', ...args]
    try {
      return await runCommand('chroot', argv, { timeoutMs: 20_000 })
    } catch (error) {
      if (error instanceof CommandFailed) return error.stderr
      throw error
    }
  }
})
