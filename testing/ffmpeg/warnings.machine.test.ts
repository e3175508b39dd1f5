import { expect } from 'chai'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { levelOf } from '../../common/domain/log-levels.ts'
import { hevcTag } from '../../runner-image/transfer/warnings/hevc-tag.ts'
import { watchLog } from '../../runner-image/transfer/warnings/log-watch.ts'
import { stepOf } from '../support/plan-one.ts'
import { runPlanned } from './runner/planned-run.ts'
import { useSupervised } from './runner/use-runner.ts'
import type { CommandWarning } from '../../common/domain/command-warnings.ts'

const inputPaths = {
  in_1: '../in/in_1.mp4',
  in_2: '../in/in_2.mp4',
  in_3: '../in/in_3.srt',
  in_4: '../in/in_4.srt',
  in_5: '../in/in_5.ts',
  in_6: '../in/in_6.mp4',
}

describe('warnings of commands that end with 0', () => {
  const supervised = useSupervised()
  before(async () => {
    const folder = path.join(supervised.container.job, 'in')
    const make = async (name: string, argv: readonly string[]) => {
      const { code, tail } = await supervised.run([...argv, name])
      expect(code, tail).to.equal(0)
      // FFmpeg cannot write where its inputs are
      await rename(path.join(supervised.container.job, 'work', name), path.join(folder, name))
    }
    const clip = ['-f', 'lavfi', '-i', 'testsrc2=d=2:s=320x240', '-f', 'lavfi', '-i', 'sine=d=2']
    await make('in_1.mp4', [...clip, '-c:v', 'libx264', '-pix_fmt', 'yuv420p'])
    await make('whole.ts', ['-i', '../in/in_1.mp4', '-c', 'copy'])
    await damage(path.join(folder, 'in_1.mp4'), path.join(folder, 'in_2.mp4'))
    await damage(path.join(folder, 'whole.ts'), path.join(folder, 'in_5.ts'))
    const cut = (await readFile(path.join(folder, 'whole.ts'))).subarray(0, 30_000)
    await writeFile(path.join(folder, 'in_6.mp4'), cut)
    await writeFile(path.join(folder, 'in_3.srt'), subtitles('Grüße, мир, مرحبا'))
    await writeFile(path.join(folder, 'in_4.srt'), subtitles('private use \u{10ff00}\u{10ff01}'))
  })

  async function warnings(command: string, output: string): Promise<CommandWarning[]> {
    const outputs = { out_1: output }
    const { exited } = await runPlanned(supervised, { command, outputs, inputPaths })
    expect(exited.code, exited.tail).to.equal(0)
    const watch = watchLog(stepOf(command, { outputs, inputAliases: Object.keys(inputPaths) }))
    for (const message of supervised.client.received) {
      if (message.type !== 'stderr' || message.id !== exited.id) continue
      for (const marked of message.lines) watch.read(levelOf(marked).line)
    }
    return watch.warnings()
  }
  const kinds = async (command: string, output: string) =>
    (await warnings(command, output)).map(({ code, alias }) => [code, alias])

  it('a command has no warnings for a whole clip and texts that the fonts have', async () => {
    expect(await kinds('-i {{in_1}} -vf subtitles={{in_3}} {{out_1}}', 'whole.mp4')).to.deep.equal(
      [],
    )
  })

  it('the warnings name characters that no font has', async () => {
    const [warning, ...others] = await warnings(
      '-i {{in_1}} -vf subtitles={{in_4}} {{out_1}}',
      'boxes.mp4',
    )
    expect(others).to.deep.equal([])
    expect(warning?.code).to.equal('MISSING_GLYPHS')
    expect(warning?.message).to.match(/^No font here has '.' \(U\+10FF00\), '.' \(U\+10FF01\): /u)
  })

  it('the warnings name the input whose data is broken', async () => {
    const alone = await kinds('-i {{in_2}} {{out_1}}', 'broken.mp4')
    expect(alone).to.deep.include(['DAMAGED_INPUT', 'in_2'])
    const second = '-i {{in_1}} -i {{in_5}} -map 0:a -map 1:v {{out_1}}'
    expect(await kinds(second, 'second.mp4')).to.deep.equal([['DAMAGED_INPUT', 'in_5']])
  })

  it('the warnings say that options behind the last output are ignored', async () => {
    const found = await kinds('-i {{in_1}} -c copy {{out_1}} -t 1', 'trailing.mp4')
    expect(found).to.deep.equal([['TRAILING_OPTIONS', null]])
  })

  it("the warnings say that a text with a lone '%' is not drawn", async () => {
    const found = await kinds(`-i {{in_1}} -vf "drawtext=text='50% off'" {{out_1}}`, 'percent.mp4')
    expect(found).to.deep.equal([['STRAY_PERCENT', null]])
  })

  for (const [name, options, expected] of [
    ['has hev1, which Apple refuses', '', ['HEVC_TAG']],
    ['has hvc1', '-tag:v hvc1', []],
  ] as const) {
    it(`the warnings look at the tag of HEVC: a file that ${name}`, async () => {
      const output = `hevc${options.length}.mp4`
      const command = `-i {{in_1}} -an -c:v libx265 -x265-params log-level=none ${options} {{out_1}}`
      expect(await kinds(command, output)).to.deep.equal([])
      supervised.client.send({ type: 'probe', id: output, path: output, depth: 'record' })
      const probed = await supervised.client.next('probed', output)
      const found = hevcTag({ alias: 'out_1', path: output }, probed)
      expect(found.map(({ code }) => code)).to.deep.equal(expected)
    })
  }
})

/** Zeros in the middle of the media data: the container stays whole. */
async function damage(from: string, to: string): Promise<void> {
  const bytes = await readFile(from)
  for (const part of [0.3, 0.5, 0.7]) {
    const at = Math.floor(bytes.length * part)
    bytes.fill(0x55, at, at + 700)
  }
  await writeFile(to, bytes)
}

function subtitles(text: string): string {
  return `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`
}
