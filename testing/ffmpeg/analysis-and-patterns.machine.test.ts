import { expect } from 'chai'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { runStreamed } from './runner/run-streamed.ts'
import type { StreamedRequest } from './runner/run-streamed.ts'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'

describe('an analysis, and files between the steps of a chain, with the FFmpeg of the image', () => {
  const parts = useRunnerParts()
  const clip = { name: 'clip.mp4', body: Buffer.alloc(0) }

  before(async () => {
    await using supervised = await startSupervised(parts)
    const sound = 'sine=d=2,volume=enable=between(t\\,0.5\\,1.5):volume=0'
    const { code, tail } = await supervised.run([
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=64x64:r=10:d=2',
      '-f',
      'lavfi',
      '-i',
      sound,
      '-metadata',
      'title=a clip',
      clip.name,
    ])
    expect(code, tail).to.equal(0)
    clip.body = await readFile(path.join(supervised.container.job, 'work', clip.name))
  })

  function run(
    command: StreamedRequest['command'],
    output: StreamedRequest['output'],
    more: Partial<StreamedRequest> = {},
  ) {
    const request = { parts, files: [clip], command, output, overlap: false, streamed: 0 }
    return runStreamed({ ...request, ...more })
  }

  const silence = '-i {{in_1}} -af silencedetect=n=-50dB:d=0.5 -f null -'
  for (const redirection of ['2> {{out_1}}', '2>{{out_1}}', '&> {{out_1}}', '> {{out_1}} 2>&1']) {
    it(`stores the log by ${redirection}, and shows it in the logs, too`, async () => {
      const { outcome, objects, published, logs } = await run(
        `${silence} ${redirection}`,
        'log.txt',
      )
      expect(outcome).to.equal('SUCCESS')
      expect(published).to.deep.equal(['out_1'])
      const text = textOf(objects, 'log.txt')
      expect(text)
        .to.match(/silence_start: 0\.\d+/)
        .and.match(/silence_end: 1\.\d+/)
      expect(logs).to.match(/silence_start: 0\.\d+/)
    })
  }

  it('stores what FFmpeg wrote: no lines of the service, marks or paths of its own', async () => {
    const { objects, logs } = await run(`${silence} 2> {{out_1}}`, 'log.txt')
    const text = textOf(objects, 'log.txt')
    expect(text).to.contain("from '{{in_1}}':").and.contain('a clip')
    expect(text).to.match(/^\[silencedetect @ 0x[0-9a-f]+\] silence_start/m)
    expect(text).not.to.match(/\.\.\/in|\/job\/|\[info\]|progress period/)
    expect(logs).to.contain('[silencedetect] silence_start')
  })

  it('takes the level of the command for the file, and none of it for the logs', async () => {
    const error = await run(`-v error ${silence} 2> {{out_1}}`, 'errors.txt')
    expect([error.outcome, textOf(error.objects, 'errors.txt')]).to.deep.equal(['SUCCESS', ''])
    expect(error.logs).to.contain('silence_start')
    const verbose = await run(`-loglevel level+verbose ${silence} 2> {{out_1}}`, 'log.txt')
    expect(textOf(verbose.objects, 'log.txt'))
      .to.match(/\[verbose\] /)
      .and.match(/\[info\] /)
    expect(verbose.logs).not.to.contain('[verbose]')
    expect(verbose.logs.split('\n').length).to.be.lessThan(
      textOf(verbose.objects, 'log.txt').split('\n').length,
    )
  })

  it('stores the report of loudnorm as JSON that can be read', async () => {
    const command = '-i {{in_1}} -af loudnorm=print_format=json -f null - 2> {{out_1}}'
    const { objects } = await run(command, 'loudness.log')
    const [report = ''] = /\{[^{}]*"input_i"[^{}]*\}/.exec(textOf(objects, 'loudness.log')) ?? []
    expect(JSON.parse(report)).to.include.keys('input_i', 'target_offset')
  })

  it('stores the log beside a file, and every line of a flood', async () => {
    const flood = '-f lavfi -i color=s=16x16:d=400:r=25 -vf showinfo -f rawvideo - > {{out_2}}'
    const { objects } = await run(`${flood} 2> {{out_1}}`, { out_1: 'log.txt', out_2: 'a.raw' })
    const frames = textOf(objects, 'log.txt').match(/ n: *\d+ pts:/g)
    expect(frames).to.have.lengthOf(10_000)
    expect(objects.get('a.raw')).to.have.lengthOf(10_000 * 16 * 16 * 1.5)
  })

  it('bounds the log as any other file', async () => {
    const flood = '-f lavfi -i color=s=16x16:d=400:r=25 -vf showinfo -f null - 2> {{out_1}}'
    const { outcome, objects } = await run(flood, 'log.txt', { fileBytes: 100_000 })
    expect(outcome).to.match(/An output exceeded 0\.1 MB/)
    expect([...objects.keys()]).to.deep.equal([])
  })

  it('an analysis fails with the words of FFmpeg where its log is stored', async () => {
    const { outcome } = await run('-i {{in_1}} -af nosuchfilter -f null - 2> {{out_1}}', 'log.txt')
    expect(outcome).to.contain("No such filter: 'nosuchfilter'")
  })

  it('an analysis succeeds without a file where every output is the null sink', async () => {
    for (const command of [silence, [silence, '-i {{in_1}} -f null /dev/null']]) {
      const { outcome, objects, published, logs } = await run(command, {})
      expect([outcome, published, objects.size]).to.deep.equal(['SUCCESS', [], 0])
      expect(logs).to.contain('silence_start')
    }
  })

  const handingOn: [string, string, string][] = [
    ['pictures', '-i {{in_1}} f_%03d.png', '-framerate 5 -i f_%03d.png {{out_1}}'],
    ['one of the pictures', '-i {{in_1}} f_%03d.png', '-i f_002.png -frames:v 1 {{out_1}}'],
    ['a glob', '-i {{in_1}} f_%03d.png', `-pattern_type glob -i 'f_*.png' {{out_1}}`],
    [
      'segments',
      '-i {{in_1}} -c:v libx264 -g 5 -f segment -segment_time 1 p%03d.ts',
      '-i "concat:p000.ts|p001.ts" -c copy {{out_1}}',
    ],
  ]
  for (const [title, write, read] of handingOn) {
    it(`hands ${title} on to a later step, and stores the declared output alone`, async () => {
      const { outcome, objects, published } = await run([write, read], 'out.mkv')
      expect(outcome).to.equal('SUCCESS')
      expect(published).to.deep.equal(['out_1'])
      expect([...objects.keys()]).to.deep.equal(['out.mkv'])
    })
  }
})

function textOf(objects: ReadonlyMap<string, Buffer>, name: string): string {
  const found = objects.get(name)
  if (found === undefined) throw new Error(`${name} was not stored`)
  return found.toString()
}
