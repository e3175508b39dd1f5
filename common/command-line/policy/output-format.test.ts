import { expect } from 'chai'
import { errorsOf, folders, refusalOf } from '../../../testing/support/plan-one.ts'

const refused = 'command_syntax {{out_1}}'

describe('an output without -f', () => {
  for (const name of ['movie', 'movie.', 'movie.xyz', 'mp4', 'movie.mp4.part', 'film-2024.v2']) {
    it(`an output is refused under the name ${name}, from which FFmpeg cannot infer the format`, () => {
      expect(refusalOf('-i {{in_1}} {{out_1}}', { outputs: { out_1: name } })).to.equal(refused)
    })
  }

  for (const name of ['a.mp4', 'a.MP4', 'a.b.webm', 'a.m2v', 'a.yuv', 'a.jpg', 'a.vtt', 'a.264']) {
    it(`an output is accepted under the name ${name}`, () => {
      const outputs = { out_1: name }
      expect(refusalOf('-i {{in_1}} {{out_1}}', { outputs })).to.equal('accepted')
    })
  }

  it('names the alias, the file and both remedies', () => {
    const message = (name: string): string | undefined =>
      errorsOf('-i {{in_1}} -c copy {{out_1}}', { outputs: { out_1: name } })[0]?.message
    expect(message('movie')).to.equal(
      "Output '{{out_1}}' at character 21, named 'movie' in output_files: FFmpeg cannot choose a format for a name without an extension; give it a known extension, as in 'movie.mp4', or write -f and the format in front of it",
    )
    expect(message('a.b.xyz')).to.equal(
      "Output '{{out_1}}' at character 21, named 'a.b.xyz' in output_files: FFmpeg has no format with the extension '.xyz'; give it a known extension, as in 'a.b.mp4', or write -f and the format in front of it",
    )
  })

  it('the format is judged for each output by its own options', () => {
    const outputs = { out_1: 'movie', out_2: 'b' }
    const judged = (command: string): string => refusalOf(command, { outputs })
    expect(judged('-i {{in_1}} -f mp4 {{out_1}} {{out_2}}')).to.equal('command_syntax {{out_2}}')
    expect(judged('-f mp4 -i {{in_1}} {{out_1}} -f mp4 {{out_2}}')).to.equal(refused)
    expect(judged('-i {{in_1}} -f mp4 {{out_1}} -target dvd {{out_2}}')).to.equal('accepted')
    const legs = '-i {{in_1}} -map 0 -f tee "[f=mp4]{{out_1}}|[f=mp4]{{out_2}}"'
    expect(judged(legs)).to.equal('accepted')
  })

  it('the format is judged by the bare name with OUTPUT_FOLDER, unless that is a pattern', () => {
    const judged = (name: string): string => refusalOf(`-i a.mp4 ${name}`, folders)
    expect(judged('part1/movie')).to.equal('command_syntax part1/movie')
    expect(judged('v1.0/movie')).to.equal('command_syntax v1.0/movie')
    expect(judged('frame%03d.xyz')).to.equal('accepted')
    expect(judged('-f segment part%03d')).to.equal('accepted')
    const [error] = errorsOf('-i a.mp4 movie', folders)
    expect(error?.message).to.contain("Output 'movie' at character 10: FFmpeg cannot")
  })
})
