import { expect } from 'chai'
import { readPasted, splitAtProgram } from './pasted.ts'

const here = new Set(['clip.mov', 'my clip.mov', 'logo.png', 'film.srt', 'a.ttf', 'b.srt'])
const exists = (file: string): Promise<boolean> => Promise.resolve(here.has(file))

async function read(command: string | string[], takesMore = false) {
  const args = typeof command === 'string' ? command.split(' ') : command
  const { inputs, outputs, args: written } = await readPasted(args, exists, takesMore)
  return { inputs, outputs, command: written.join(' ') }
}

async function refusalOf(command: string): Promise<string> {
  return read(command).then(
    (found) => JSON.stringify(found),
    (error: unknown) => String(error),
  )
}

describe('a command as it was written for FFmpeg', () => {
  it('returns files and URLs as inputs and the name of each group as an output', async () => {
    expect(
      await read(
        '-y -ss 3 -i clip.mov -i https://media.example/b.mp3 -vf scale=-2:480 -an small.mp4 -vn b.mp3',
      ),
    ).to.deep.equal({
      inputs: ['in_1=clip.mov', 'in_2=https://media.example/b.mp3'],
      outputs: ['out_1=small.mp4', 'out_2=b.mp3'],
      command: '-y -ss 3 -i {{in_1}} -i {{in_2}} -vf scale=-2:480 -an {{out_1}} -vn {{out_2}}',
    })
  })

  it('returns one alias when an input stands twice, and a playlist by its own name', async () => {
    expect(await read('-i clip.mov -i clip.mov -f hls -hls_time 4 film.m3u8 a.mp4')).to.deep.equal({
      inputs: ['in_1=clip.mov'],
      outputs: ['out_playlist_1=film.m3u8', 'out_1=a.mp4'],
      command: '-i {{in_1}} -i {{in_1}} -f hls -hls_time 4 {{out_playlist_1}} {{out_1}}',
    })
  })

  it('leaves sources of filters, outputs of the muxer null and values of options as they are', async () => {
    expect(
      await read('-f lavfi -i testsrc2=d=1 -metadata clip.mov -f null /dev/null'),
    ).to.deep.equal({
      inputs: [],
      outputs: [],
      command: '-f lavfi -i testsrc2=d=1 -metadata clip.mov -f null -',
    })
  })

  it('returns files that filters and options read as inputs', async () => {
    const graph =
      "[0:v]subtitles=film.srt:force_style='A=1',drawtext=fontfile=a.ttf:text=logo.png[v]"
    expect(
      await read(['-i', 'clip.mov', '-filter_complex', graph, '-attach', 'logo.png', 'o.mkv']),
    ).to.deep.equal({
      inputs: ['in_1=clip.mov', 'in_2=film.srt', 'in_3=a.ttf', 'in_4=logo.png'],
      outputs: ['out_1=o.mkv'],
      command:
        "-i {{in_1}} -filter_complex [0:v]subtitles={{in_2}}:force_style='A=1',drawtext=fontfile={{in_3}}:text=logo.png[v] -attach {{in_4}} {{out_1}}",
    })
    const movie = await read('-f lavfi -i movie=b.srt -i clip.mov o.mkv')
    expect(movie.command).to.equal('-f lavfi -i movie={{in_1}} -i {{in_2}} {{out_1}}')
  })

  it('rejects an input that is neither here nor a URL, unless an archive may have it', async () => {
    const text = '-i absent.mov a.mp4'
    expect(await refusalOf(text)).to.contain('No file absent.mov here. A URL begins with https://')
    expect((await read(text, true)).command).to.equal('-i absent.mov {{out_1}}')
    expect(await refusalOf('-i f%03d.png a.mp4')).to.contain('--input-zip')
    expect(await refusalOf('-i - a.mp4')).to.contain(
      '-i: standard input and output are not supported',
    )
    expect(await refusalOf('-i clip.mov -f mpegts pipe:1')).to.contain('standard input and output')
    expect(await refusalOf('-i clip.mov f%03d.png')).to.contain('-o OUTPUT_FOLDER=files.zip')
  })

  it('a pasted command begins at the name of the program, in words or in one text', () => {
    const ffmpeg = ['-i', 'my clip.mov', 'a.mp4']
    for (const args of [
      ['--vcpu', '4', 'ffmpeg', ...ffmpeg],
      ['--vcpu', '4', '/usr/bin/ffmpeg', ...ffmpeg],
      ['--vcpu', '4', "ffmpeg -i 'my clip.mov' a.mp4"],
    ]) {
      expect(splitAtProgram(args)).to.deep.equal({ own: ['--vcpu', '4'], ffmpeg })
    }
    expect(splitAtProgram(['-i', 'a', '--', 'ffmpeg', '-i', '{{in_1}}'])).to.equal(null)
    expect(splitAtProgram(['-i', 'a', 'ffmpeg -i {{in_1}} {{out_1}}'])).to.equal(null)
    expect(() => splitAtProgram(["ffmpeg -i 'a.mov b.mp4"])).to.throw(/quote/i)
  })
})
