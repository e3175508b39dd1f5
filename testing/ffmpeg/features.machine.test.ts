import { expect } from 'chai'
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finalArgv } from '../../common/command-line/plan/final-argv.ts'
import { folders, planOf } from '../support/plan-one.ts'
import { makeStepFolders } from './runner/planned-run.ts'
import { brandFamily, brandFont } from './brand-font.ts'
import { noiseModel } from './noise-model.ts'
import { useSupervised } from './runner/use-runner.ts'

/** Features that touch files besides an input and an output: none of it may fail behind the fence. */
describe('a command in the sandbox', () => {
  const supervised = useSupervised()
  let work: string
  let inputs: string
  /** Inputs `{{in_2}}` and `{{in_3}}`. */
  let second: { in_2?: string; in_3?: string } = {}

  before(async () => {
    work = path.join(supervised.container.job, 'work')
    inputs = path.join(supervised.container.job, 'in')
    await run(['-f lavfi -i testsrc2=s=160x90:d=2 -f lavfi -i sine=d=2 -c:v libx264 -g 12 in.mp4'])
    await copyFile(path.join(work, 'in.mp4'), path.join(inputs, 'in_1.mp4'))
  })

  it('creates the sub-folders of a playlist with variants', async () => {
    await run([
      '-i {{in_1}} -filter_complex "[0:v]split=2[a][b];[a]scale=-2:60[x];[b]null[y]" -map "[x]" -map "[y]" ' +
        '-g 25 -f hls -hls_time 1 -hls_segment_type fmp4 -var_stream_map "v:0,name:low v:1,name:high" ' +
        '-master_pl_name main.m3u8 hls/%v/part.m3u8',
    ])
    for (const variant of ['low', 'high']) {
      const names = await readdir(path.join(work, 'hls', variant))
      expect(names).to.include.members(['part.m3u8', 'part0.m4s', 'part1.m4s'])
    }
    expect(await text('hls/main.m3u8')).to.contain('high/part.m3u8')
  })

  it('keeps the logs of two passes', async () => {
    for (const [encoder, log] of [
      ['libx264 -b:v 100k', 'ffmpeg2pass-0.log'],
      ['libx265 -b:v 100k -x265-params', 'x265_2pass.log'],
      ['libvpx-vp9 -b:v 100k', 'vp9-0.log'],
    ] as const) {
      const pass = (number: number): string =>
        encoder.endsWith('-params')
          ? `${encoder} pass=${String(number)}`
          : `${encoder} -pass ${String(number)}${encoder.includes('vp9') ? ' -passlogfile vp9' : ''}`
      await run([`-i {{in_1}} -c:v ${pass(1)} -an -f null /dev/null`])
      expect((await stat(path.join(work, log))).size, log).to.be.greaterThan(0)
      await run([`-i {{in_1}} -c:v ${pass(2)} -an twice.mkv`])
    }
  })

  it('stabilizes in two steps', async () => {
    await run(['-i {{in_1}} -vf vidstabdetect=shakiness=7 -f null -'])
    expect(await readdir(work)).to.include('transforms.trf')
    await run(['-i {{in_1}} -vf vidstabtransform=smoothing=10,unsharp=5:5:0.8 -an stable.mp4'])
  })

  it('writes two files by tee, one of them a playlist', async () => {
    await run([
      '-i {{in_1}} -map 0 -c copy -f tee "tee/a.mkv|[f=hls:hls_time=1:hls_segment_filename=tee/s%d.ts]tee/b.m3u8"',
    ])
    expect(await readdir(path.join(work, 'tee'))).to.include.members(['a.mkv', 'b.m3u8', 's0.ts'])
  })

  it('reads pictures of a zip archive, by number and by pattern', async () => {
    await run(['-i {{in_1}} -frames:v 4 frames/f_%03d.png'])
    const frames = '-frames:v 9 -f framemd5'
    await run([
      `-framerate 2 -i frames/f_%03d.png ${frames} number.txt`,
      `-framerate 2 -pattern_type glob -i "frames/*.png" ${frames} glob.txt`,
    ])
    expect((await text('number.txt')).match(/^0,/gm)).to.have.length(4)
    expect(await text('glob.txt')).to.equal(await text('number.txt'))
  })

  it('burns in subtitles of both kinds, with a font of the zip archive', async () => {
    await writeFile(path.join(inputs, 'in_2.srt'), '1\n00:00:00,000 --> 00:00:02,000\nQuick fox\n')
    second = { in_2: '../in/in_2.srt' }
    await run(['-i {{in_2}} words.ass'])
    await copyFile(font(), path.join(work, 'own.ttf'))
    const plain = await frame('null')
    const digests = [
      plain,
      await frame('subtitles={{in_2}}'),
      await frame("subtitles={{in_2}}:fontsdir=.:force_style='FontName=Lato Black,Fontsize=30'"),
      await frame('ass=words.ass:fontsdir=.,hflip'),
    ]
    expect(new Set(digests).size).to.equal(digests.length)
  })

  it('burns in subtitles in a font of an input by fontsdir', async () => {
    await writeFile(path.join(inputs, 'in_2.srt'), '1\n00:00:00,000 --> 00:00:02,000\nQuick fox\n')
    second = { in_2: '../in/in_2.srt', in_3: '../in/in_3.ttf' }
    await writeFile(path.join(inputs, 'in_3.ttf'), brandFont(await readFile(font())))
    const words = (family: string, folder = ''): Promise<string> =>
      frame(`subtitles={{in_2}}${folder}:force_style='FontName=${family} Black,Fontsize=30'`)
    const original = await words('Lato')
    expect(await words(brandFamily)).not.to.equal(original)
    expect(await words(brandFamily, ':fontsdir={{in_3}}')).to.equal(original)
    await run([`-f lavfi -i "color=s=64x64:d=1,subtitles={{in_2}}:fontsdir={{in_3}}" a.mkv`])
  })

  it('uses a font, a colour table and a noise model of an input', async () => {
    await copyFile(font(), path.join(inputs, 'in_2.ttf'))
    second = { in_2: '../in/in_2.ttf' }
    const draw = (file: string): Promise<string> => frame(`drawtext=text=Quick:fontfile=${file}`)
    expect(await draw('{{in_2}}')).not.to.equal(
      await draw('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'),
    )
    const inverse = [0, 1].flatMap((b) =>
      [0, 1].flatMap((g) => [0, 1].map((r) => [1 - r, 1 - g, 1 - b])),
    )
    const cube = ['LUT_3D_SIZE 2', ...inverse.map((colour) => colour.join(' ')), ''].join('\n')
    await writeFile(path.join(inputs, 'in_2.cube'), cube)
    second = { in_2: '../in/in_2.cube' }
    expect(await frame('lut3d={{in_2}}')).not.to.equal(await frame('null'))
    await writeFile(path.join(inputs, 'in_2.rnnn'), noiseModel())
    second = { in_2: '../in/in_2.rnnn' }
    await run(['-i {{in_1}} -vn -af arnndn=m={{in_2}} a.wav'])
  })

  function font(): string {
    return path.join(supervised.root, 'usr/share/fonts/truetype/lato/Lato-Black.ttf')
  }

  /** Digest of one picture behind the filter. */
  async function frame(filter: string): Promise<string> {
    await run([`-i {{in_1}} -vf "${filter}" -frames:v 1 -f md5 frame.md5`])
    return text('frame.md5')
  }

  async function text(name: string): Promise<string> {
    return readFile(path.join(work, name), 'utf8')
  }

  /** Runs a command as the runner does: planned, with the folders that the plan names made, behind the sandbox. */
  async function run(commands: readonly string[]): Promise<void> {
    const inputPaths = { in_1: '../in/in_1.mp4', ...second }
    const { steps } = planOf(commands, { ...folders, inputAliases: Object.keys(inputPaths) })
    for (const step of steps) {
      await makeStepFolders(supervised.container.job, step, inputPaths)
      const argv = finalArgv(step, { inputPaths, vcpuCount: 1, maxPixels: 1_000_000 })
      const exited = await supervised.run(argv)
      expect(exited.code, `${commands.join('\n')}\n${exited.tail}`).to.equal(0)
    }
  }
})
