import { expect } from 'chai'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attemptFixture } from '../../testing/runner/attempt-fixture.ts'
import { useFixture } from '../../testing/support/scratch.ts'

const playlist = {
  commands: ['-i {{in_1}} -f hls {{out_playlist_1}}'],
  outputs: { out_playlist_1: 'p.m3u8' },
}

describe('files that a command names', () => {
  const fixture = useFixture(attemptFixture)
  let work: string
  beforeEach(async () => {
    work = join(fixture.root, 'work')
  })

  it('files are stored under any name that storage takes', async () => {
    const names = ['seg 000.ts', 'ü1.ts', '.h2.ts', 'a+b@3.ts', '12:30:04.ts', "it's (5) #6.ts"]
    const { exitCode, gateway } = await making(names)
    expect(exitCode).to.equal(0)
    const expected = ['p.m3u8', ...names].map((name) => `out_playlist_1/${name}`)
    expect([...gateway.objects.keys()].toSorted()).to.deep.equal(expected.toSorted())
  })

  for (const [what, name, why] of [
    ['a line end', 'a\nb.ts', 'has a control character or a backslash in it'],
    ['a backslash', 'a\\b.ts', 'has a control character or a backslash in it'],
    ['bytes that are not UTF-8', Buffer.from('a\xe9.ts', 'latin1'), 'is not UTF-8'],
  ] as const) {
    it(`the attempt ends with a verdict when a file name has ${what}`, async () => {
      const { exitCode, gateway, published } = await making([name])
      expect([exitCode, published]).to.deep.equal([0, []])
      expect(messageOf(gateway)).to.contain(`The command wrote a file whose name ${why}`)
    })
  }

  it('fonts are found in a folder with nothing else', async () => {
    const found: string[] = []
    const { exitCode } = await fixture.attempt(
      {
        run: async (run, say) => {
          const graph = run.argv.find((word) => word.startsWith('subtitles=')) ?? ''
          const fonts = join(work, graph.split(':fontsdir=')[1] ?? '')
          for (const name of await readdir(fonts)) {
            found.push(`${name} ${String((await readFile(join(fonts, name))).length)}`)
          }
          return fixture.makes('out.mp4')(run, say)
        },
      },
      {
        inputs: ['in_1', 'in_2'].map((alias) => {
          return { alias, url: `${fixture.originUrl}/clip.mp4`, stored: null }
        }),
        commands: ['-i {{in_1}} -vf subtitles={{in_1}}:fontsdir={{in_2}} {{out_1}}'],
      },
    )
    expect(exitCode).to.equal(0)
    expect(found).to.deep.equal(['in_2.mp4 100000'])
  })

  it('the attempt ends too when a path is longer than storage allows', async () => {
    const folder = join('d'.repeat(250), 'd'.repeat(250), 'd'.repeat(250))
    const { exitCode, gateway } = await making([join(folder, `${'e'.repeat(60)}.ts`)])
    expect(exitCode).to.equal(0)
    expect(messageOf(gateway)).to.contain('is longer than the 800 bytes')
  })

  it('the attempt ends when a folder is wanted and a file has its name', async () => {
    await writeFile(join(work, 'out_playlist_1'), 'from a zip')
    const { exitCode, gateway } = await making([])
    expect(exitCode).to.equal(0)
    expect(messageOf(gateway)).to.equal(
      "The command writes to the folder 'out_playlist_1', which cannot be made: there is a file of that name",
    )
  })

  for (const [folder, why] of [
    ['in.mp4', 'there is a file of that name'],
    ['in.mp4/deeper', 'there is a file of that name'],
    ['d'.repeat(300), 'its name is too long'],
  ] as const) {
    it(`the attempt ends when a command on files writes to ${folder.slice(0, 20)}`, async () => {
      await writeFile(join(work, 'in.mp4'), 'clip')
      const commands = [`-i {{in_1}} ${folder}/x.mp4`]
      const attempt = { commands, outputs: null }
      const { exitCode, gateway } = await fixture.attempt({ run: async () => ({}) }, attempt)
      expect(exitCode).to.equal(0)
      expect(messageOf(gateway)).to.contain(`cannot be made: ${why}`)
    })
  }

  /** FFmpeg that makes a playlist and these files beside it. */
  function making(names: readonly (string | Buffer)[]) {
    const folder = join(work, 'out_playlist_1')
    return fixture.attempt(
      {
        run: async () => {
          await writeFile(join(folder, 'p.m3u8'), '#EXTM3U\n')
          for (const name of names) {
            if (typeof name === 'string') await mkdir(join(folder, name, '..'), { recursive: true })
            await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name)]), 'made')
          }
          return { code: 0 }
        },
      },
      playlist,
    )
  }

  function messageOf(gateway: Awaited<ReturnType<typeof making>>['gateway']): string {
    const outcome = gateway.results[0]?.outcome
    return outcome !== undefined && 'errorMessage' in outcome ? outcome.errorMessage : ''
  }
})
