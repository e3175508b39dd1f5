import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { oddSizes } from './odd-sizes.ts'

const found = (command: string, name = 'out.mp4'): string[] =>
  oddSizes(stepOf(command, { outputs: { out_1: name } })).map(
    ({ written, even, encoder }) => `${written} → ${even} (${encoder})`,
  )

describe('odd sizes in a command', () => {
  for (const [options, finding] of [
    ['-vf scale=321:-1', 'scale=321:-1 → scale=320:-2 (libx264)'],
    ['-vf hflip,scale=w=321:h=240,setsar=1', 'scale=321:240 → scale=320:240 (libx264)'],
    ['-vf scale=-2:241:flags=lanczos -c:v libx265', 'scale=-2:241 → scale=-2:240 (libx265)'],
    ['-vf crop=101:99:0:0 -pix_fmt yuv420p', 'crop=101:99 → crop=100:98 (libx264)'],
    ['-s 321x240 -c:v libx264', '-s 321x240 → -s 320x240 (libx264)'],
    ['-vf scale=320:240 -s:v 321x240', '-s:v 321x240 → -s:v 320x240 (libx264)'],
  ] as const) {
    it(`finds the odd size in ${options}`, () => {
      expect(found(`-i {{in_1}} ${options} {{out_1}}`)).to.deep.equal([finding])
    })
  }

  for (const options of [
    '-vf scale=320:-1',
    '-vf scale=iw/3:241',
    '-vf scale=321:241,pad=400:300',
    '-vf scale=321:241,crop=iw-1:ih-1',
    '-vf scale=321:241 -s 320x240',
    '-vf scale=321:241 -pix_fmt yuv444p',
    '-vf scale=321:241,format=yuv444p',
    '-vf scale=321:241 -c:v libvpx-vp9',
    '-filter_complex scale=321:241',
    '-s hd720',
  ]) {
    it(`odd sizes are not certain in ${options}`, () => {
      expect(found(`-i {{in_1}} ${options} {{out_1}}`)).to.deep.equal([])
    })
  }

  it('odd sizes are accepted when another encoder is chosen by the name of the output', () => {
    expect(found('-i {{in_1}} -vf scale=321:241 {{out_1}}', 'out.webm')).to.deep.equal([])
    expect(found('-i {{in_1}} -vf scale=321:241 {{out_1}}', 'out.png')).to.deep.equal([])
  })
})
