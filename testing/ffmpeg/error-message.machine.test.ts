import { expect } from 'chai'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stepOf } from '../support/plan-one.ts'
import { missingReason, withoutFramesReason } from '../../runner-image/failure/missing-reason.ts'
import { pairsOf } from '../support/lists.ts'
import { sampled } from '../scale.ts'
import { runPlanned } from './runner/planned-run.ts'
import type { Supervised } from './runner/test-runner.ts'
import { useSupervised } from './runner/use-runner.ts'

const inputPaths = {
  in_1: '../in/in_1.mp4',
  in_2: '../in/in_2.mp3',
  in_3: '../in/in_3.png',
  in_4: '../in/in_4.mp4',
  in_5: '../in/in_5.mp4',
  in_6: '../in/in_6.srt',
  in_7: '../in/in_7.mkv',
  in_8: '../in/in_8.mp4',
  in_9: '../in/in_9.mp4',
  in_10: '../in/in_10.webm',
  in_11: '../in/in_11.mp3',
}

const nothingEncoded =
  'nothing was encoded; check -ss, -t, -to and -frames, and what the filters let through'

describe('message of a failing command', () => {
  const supervised = useSupervised()
  before(async () => {
    await makeInputs(supervised)
  })

  const pairs = pairsOf(path.join(import.meta.dirname, 'failing-commands.txt'))
  const chosen = sampled(pairs, {
    every: 3,
    least: 2,
    nameOf: ({ given }) => given,
    themeOf: ({ expected }) => expected.split(' ')[0] ?? '',
  })
  for (const { given, expected } of chosen) {
    const [, output = 'out.mp4', command = ''] = /^(?:(\S+): )?(.+)$/.exec(given) ?? []
    const [, status = '', lines = ''] = /^(\S+) (.+)$/.exec(expected) ?? []
    it(`${command} (${output})`, async () => {
      const outputs = { out_1: output }
      const { failure, message } = await runPlanned(supervised, { command, outputs, inputPaths })
      const sentence = failure?.sentence ?? ''
      expect([failure?.status, message]).to.deep.equal([status, `${sentence}: ${lines}`])
      expect(sentence).to.match(sentences[status] ?? /^never$/)
    })
  }
})

describe('message of a command without result', () => {
  const supervised = useSupervised()
  before(async () => {
    await makeInputs(supervised)
  })

  const empty: [string, string, string][] = [
    ['-i {{in_1}} -ss 100 {{out_1}}', 'out.mp4', '-ss 100 lies past the end of the input (2 s)'],
    [
      '-ss 100 -i {{in_1}} -frames:v 1 {{out_1}}',
      'a.png',
      '-ss 100 lies past the end of in_1 (2 s)',
    ],
    ['-i {{in_1}} -vf select=0 -an {{out_1}}', 'out.mp4', nothingEncoded],
    ['-i {{in_1}} -vf trim=start=50 -an {{out_1}}', 'out.webm', nothingEncoded],
  ]
  for (const [command, output, reason] of empty) {
    it(`${command} (${output})`, async () => {
      const outputs = { out_1: output }
      const { exited } = await runPlanned(supervised, { command, outputs, inputPaths })
      expect(exited.code).to.equal(0)
      const step = stepOf(command, { outputs, inputAliases: Object.keys(inputPaths) })
      expect(missingReason(step, exited.tail, new Map([['in_1', 2]]))).to.equal(reason)
      supervised.client.send({ type: 'probe', id: command, path: output, depth: 'record' })
      expect((await supervised.client.next('probed', command)).streams ?? 0).to.equal(0)
    })
  }
})

describe('message of a command that fails for lack of frames', () => {
  const supervised = useSupervised()
  before(async () => {
    await makeInputs(supervised)
  })

  const past = '-ss 100 lies past the end of in_1 (2 s)'
  for (const [command, output, reason] of [
    ['-ss 100 -i {{in_1}} -frames:v 1 {{out_1}}', 'a.jpg', past],
    ['-ss 100 -i {{in_1}} -frames:v 1 {{out_1}}', 'a.webp', past],
    ['-ss 100 -i {{in_1}} {{out_1}}', 'a.gif', past],
    ['-ss 100 -i {{in_1}} {{out_1}}', 'a.apng', past],
    ['-ss 100 -i {{in_1}} {{out_1}}', 'a.ts', past],
    ['-i {{in_1}} -ss 100 {{out_1}}', 'a.jpg', '-ss 100 lies past the end of the input (2 s)'],
    ['-i {{in_1}} -vf select=0 -frames:v 1 {{out_1}}', 'a.jpg', nothingEncoded],
    ['-i {{in_1}} -vf select=0 {{out_1}}', 'a.gif', nothingEncoded],
    ['-i {{in_1}} -vf select=0 {{out_1}}', 'a.webp', nothingEncoded],
  ] as const) {
    it(`${command} (${output})`, async () => {
      const outputs = { out_1: output }
      const { exited } = await runPlanned(supervised, { command, outputs, inputPaths })
      expect(exited.code).not.to.equal(0)
      const step = stepOf(command, { outputs, inputAliases: Object.keys(inputPaths) })
      expect(withoutFramesReason(step, exited.tail, new Map([['in_1', 2]]))).to.equal(reason)
    })
  }
})

const sentences: Readonly<Record<string, RegExp>> = {
  INVALID_COMMAND: /^FFmpeg refused the command$/,
  INVALID_INPUT_FILE: /^in_\d+ is not a media file that FFmpeg can read$/,
  FFMPEG_FAILED: /^FFmpeg ended with exit code \d+$/,
}

async function makeInputs(supervised: Supervised): Promise<void> {
  const folder = path.join(supervised.container.job, 'in')
  const picture = (size: string): string[] => ['-f', 'lavfi', '-i', `testsrc2=d=2:s=${size}`]
  const tone = ['-f', 'lavfi', '-i', 'sine=d=2']
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p']
  await make('in_1.mp4', [...picture('128x96'), ...tone, ...h264])
  await make('in_2.mp3', tone)
  // testsrc2 makes even sizes only
  await make('in_3.png', ['-f', 'lavfi', '-i', 'testsrc=s=127x95', '-frames:v', '1'])
  await make('whole.mkv', [...picture('128x96'), ...tone, ...h264])
  await make('in_9.mp4', [...picture('126x94'), ...h264])
  const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-c:a', 'libopus']
  const cover = ['-i', '../in/in_2.mp3', '-i', '../in/in_3.png', '-map', '0', '-map', '1']
  await make('in_11.mp3', [...cover, '-c', 'copy'])
  await make('in_10.webm', [...picture('64x64'), ...tone, ...vp9])
  await writeFile(path.join(folder, 'in_4.mp4'), 'hello world\n'.repeat(100))
  await cut('in_1.mp4', 'in_5.mp4', (bytes) => bytes * 0.6)
  await writeFile(path.join(folder, 'in_6.srt'), '1\n00:00:00,500 --> 00:00:01,500\na\n')
  await cut('whole.mkv', 'in_7.mkv', () => 200)
  await writeFile(path.join(folder, 'in_8.mp4'), '')

  async function make(name: string, argv: readonly string[]): Promise<void> {
    const made = `made${path.extname(name)}`
    expect(await supervised.run([...argv, made])).to.include({ code: 0 })
    await copyFile(path.join(supervised.container.job, 'work', made), path.join(folder, name))
  }

  async function cut(from: string, to: string, keep: (bytes: number) => number): Promise<void> {
    const whole = await readFile(path.join(folder, from))
    await writeFile(path.join(folder, to), whole.subarray(0, Math.floor(keep(whole.length))))
  }
}
