import { expect } from 'chai'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { startSupervised } from './runner/test-runner.ts'
import { useRunnerParts } from './runner/use-runner.ts'
import { runStreamed } from './runner/run-streamed.ts'
import type { ServedFile } from './runner/run-streamed.ts'

const source = '-f lavfi -i testsrc2=s=160x120:r=10:d=6 -f lavfi -i sine=d=6 -map 0:v -map 1:a'
const h264 = '-c:v libx264 -preset ultrafast -g 20 -c:a aac'
const vp8 = '-c:v libvpx -deadline realtime -b:v 200k -g 20 -c:a libopus'
const segments = '-f dash -seg_duration 2'

/** Manifests of the ways in which packagers name segments. */
const manifests: Readonly<Record<string, string>> = {
  timeline: `${h264} ${segments} -use_timeline 1 -init_seg_name t$RepresentationID$i.m4s -media_seg_name t$RepresentationID$-$Time$.m4s`,
  numbers: `${h264} ${segments} -use_timeline 0 -init_seg_name n$RepresentationID$i.m4s -media_seg_name n$RepresentationID$-$Number%05d$.m4s`,
  list: `${h264} ${segments} -use_template 0 -use_timeline 0 -init_seg_name l$RepresentationID$i.m4s -media_seg_name l$RepresentationID$-$Number$.m4s`,
  ranges: `${h264} ${segments} -single_file 1`,
  webm: `${vp8} ${segments} -dash_segment_type webm -init_seg_name w$RepresentationID$i.webm -media_seg_name w$RepresentationID$-$Number$.webm`,
}

describe('a manifest and a list as inputs, in the sandbox of the image', () => {
  const parts = useRunnerParts()
  let beside: readonly ServedFile[] = []

  before(async () => {
    await using supervised = await startSupervised(parts)
    const work = path.join(supervised.container.job, 'work')
    const clip = `${source} ${h264} -t 2`
    const made = [
      ...Object.entries(manifests).map(([name, options]) => `${source} ${options} ${name}.mpd`),
      ...['one', 'two', 'three'].map((name) => `${clip} ${name}.mp4`),
    ]
    for (const command of made) {
      const exited = await supervised.run(['-y', ...command.split(' ')])
      expect(exited.code, `${command}: ${exited.tail}`).to.equal(0)
    }
    const names = (await readdir(work)).filter((name) => name.includes('.'))
    beside = await Promise.all(
      names.map(async (name) => ({ name, body: await readFile(path.join(work, name)) })),
    )
  })

  for (const name of Object.keys(manifests)) {
    it(`an input is read whole from a manifest by ${name}`, async () => {
      const output = name === 'webm' ? 'out.webm' : 'out.mp4'
      const media = await mediaOf([file(`${name}.mpd`)], '-i {{in_1}} -c copy {{out_1}}', output)
      expect(media).to.include({ width: 160, height: 120, is_varying_frame_rate: false })
      expect(media?.duration).to.be.closeTo(6, 0.1)
      expect(media?.bitrate_audio_kb).to.be.above(0)
    })
  }

  it('an input is read from the time that the command seeks in a manifest', async () => {
    const command = '-ss 3 -i {{in_1}} -c:v libx264 -preset ultrafast {{out_1}}'
    expect((await mediaOf([file('numbers.mpd')], command))?.duration).to.be.closeTo(3, 0.1)
  })

  it('an input is read from a manifest of several periods, one after the other', async () => {
    const text = file('numbers.mpd').body.toString()
    const again = text.replace(/<Period[^]*<\/Period>/, (period) => {
      const timed = period.replace(/ start="[^"]*"/, ' duration="PT6S"')
      return timed + timed
    })
    const manifest = { name: 'again.mpd', body: Buffer.from(again) }
    const media = await mediaOf([manifest], '-i {{in_1}} -c copy {{out_1}}')
    expect(media?.duration).to.be.closeTo(12, 0.1)
  })

  it('an input is joined from a list of clips, one of them another input', async () => {
    const body = Buffer.from("# clips\r\nfile one.mp4\r\nfile 'two.mp4'\r\nfile '{{in_2}}'\r\n")
    const inputs = [{ name: 'list.txt', body }, file('three.mp4')]
    const media = await mediaOf(inputs, '-f concat -safe 0 -i {{in_1}} -c copy {{out_1}}')
    expect(media?.duration).to.be.closeTo(6, 0.2)
  })

  it('an input is joined from a list by its first line, with the times that it gives', async () => {
    const lines = ['file one.mp4', 'file two.mp4', 'outpoint 1', 'file two.mp4']
    const body = Buffer.from(['ffconcat version 1.0', ...lines, ''].join('\n'))
    const command = '-i {{in_1}} -c:v libx264 -preset ultrafast {{out_1}}'
    expect((await mediaOf([{ name: 'list', body }], command))?.duration).to.be.closeTo(5, 0.2)
  })

  function file(name: string): ServedFile {
    const found = beside.find((served) => served.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

  async function mediaOf(files: readonly ServedFile[], command: string, output = 'out.mp4') {
    const result = await runStreamed({
      parts,
      files,
      beside,
      command,
      output,
      overlap: true,
      streamed: 0,
    })
    expect(result.outcome).to.equal('SUCCESS')
    return result.media
  }
})
