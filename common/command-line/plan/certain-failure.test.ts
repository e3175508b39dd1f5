import { expect } from 'chai'
import { errorsOf, refusalOf } from '../../../testing/support/plan-one.ts'

const one = { inputAliases: ['in_1'] }

describe('a command that FFmpeg refuses with any inputs', () => {
  for (const [options, token] of [
    ['-map 1:a', '1:a'],
    ['-map 0 -map 1', '1'],
    ['-map 1:a?', '1:a?'],
    ['-map 0 -map -1:a', '-1:a'],
    ['-map_metadata 1', '1'],
    ['-map_metadata:s:a 1:s:a', '1:s:a'],
    ['-map_chapters 1', '1'],
    ['-filter_complex "[0:v][1:v]overlay"', '1:v'],
    ['-lavfi [1]hflip', '1'],
  ] as const) {
    it(`reads an input that it does not have: ${options}`, () => {
      const [error] = errorsOf(`-i {{in_1}} ${options} {{out_1}}`, one)
      expect(error?.message).to.match(
        /^Invalid input file index: 1 in '.+' at character \d+; the command has one input, which is 0$/,
      )
      expect(error?.token).to.equal(token)
      expect(refusalOf(`-i {{in_1}} -i {{in_2}} ${options} {{out_1}}`)).to.equal('accepted')
    })
  }

  it('counts all inputs, wherever they stand', () => {
    expect(refusalOf('-f lavfi -i color -i {{in_1}} -map 1:v {{out_1}}', one)).to.equal('accepted')
    const [error] = errorsOf('-i {{in_1}} -i {{in_2}} -map 2:v {{out_1}}')
    expect(error?.message).to.contain('the command has inputs 0 to 1')
  })

  for (const options of [
    '-map [1:v] -filter_complex "[0:v]hflip[1:v]"',
    '-map_metadata -1 -map_chapters -1',
    '-map v:0',
    '-map 0:a:1',
    '-metadata title=1:a',
  ]) {
    it(`a command is accepted whose options hold no index: ${options}`, () => {
      expect(refusalOf(`-i {{in_1}} ${options} {{out_1}}`, one)).to.equal('accepted')
    })
  }

  for (const options of [
    '-c copy -vf scale=64:-2',
    '-c:v copy -filter:v hflip',
    '-vcodec copy -vf hflip -c:a aac',
    '-c:v libx264 -c copy -vf hflip',
    '-c copy -af volume=2',
    '-acodec copy -filter:a volume=2',
    '-codec copy -filter hflip -an',
    '-map 0:v -c copy -vf hflip -f nut',
    '-filter_complex [0:v]hflip[v] -map [v] -c:v copy',
    '-filter_complex [0:a]volume=2[a] -map [a] -c copy',
  ]) {
    it(`filters what it copies: ${options}`, () => {
      const [error] = errorsOf(`-i {{in_1}} ${options} {{out_1}}`)
      expect(error?.message).to.contain('Filtering and streamcopy cannot be used together')
      expect(error?.message).to.contain("copy' copies")
    })
  }

  for (const options of [
    '-c copy -c:v libx264 -vf scale=64:-2',
    '-c:a copy -vf hflip',
    '-c:v copy -af volume=2',
    '-vn -c copy -vf hflip',
    '-map 0:a -c copy -vf hflip',
    '-map 0:v? -c copy -vf hflip',
    '-map 0 -map -0:v -c copy -vf hflip',
    '-c:v:1 copy -vf hflip',
    '-filter_complex [0:v]showinfo[v] -map [v] -c:a copy',
    '-filter_complex [0:v]hflip[v] -map [v] -map 0:a -c:a copy',
  ]) {
    it(`a command that does not, or not for certain, filter what it copies is accepted: ${options}`, () => {
      expect(refusalOf(`-i {{in_1}} ${options} {{out_1}}`)).to.equal('accepted')
    })
  }

  it('a command that chooses no video for a file of sound is not a certain failure', () => {
    const outputs = { out_1: 'a.mp3' }
    expect(refusalOf('-i {{in_1}} -c copy -vf hflip {{out_1}}', { outputs })).to.equal('accepted')
    expect(refusalOf('-i {{in_1}} -c copy -af volume=2 {{out_1}}', { outputs })).to.contain(
      'command_syntax',
    )
  })

  it('other mistakes are named before a certain failure', () => {
    const [error] = errorsOf('-i {{in_1}} -map 5 -vf frei0r {{out_1}}')
    expect(error?.message).to.contain("Filter 'frei0r'")
  })
})
