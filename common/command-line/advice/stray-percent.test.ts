import { expect } from 'chai'
import { stepOf } from '../../../testing/support/plan-one.ts'
import { strayPercents } from './stray-percent.ts'

const raw = String.raw
const found = (option: string) => strayPercents(stepOf(`-i {{in_1}} ${option} {{out_1}}`))

describe('a percent sign in a drawn text', () => {
  for (const [option, near] of [
    ["-vf drawtext=text='50% off'", '% off'],
    ['-vf "drawtext=text=\'50% off\':x=10"', '% off'],
    ["-vf drawtext=text='100%'", '%'],
    ["-vf drawtext=text='50%% off'", '%% off'],
    [raw`-vf "drawtext=text='50\\% off'"`, '% off'],
    ["-vf drawtext=text='%{pts} 5%'", '%'],
    ["-vf drawtext=text='%{pts'", '%{pts'],
    ["-vf hflip,drawtext=text='5%':expansion=normal", '%'],
    ['-vf "drawtext=:5%"', '%'],
  ] as const) {
    it(`a stray % begins no function, so that nothing is drawn: ${option}`, () => {
      expect(found(option)).to.deep.equal([near])
    })
  }

  for (const option of [
    raw`-vf drawtext=text='50\\\\% off'`,
    raw`-vf "drawtext=text='50\\\\% off'"`,
    raw`-vf 'drawtext=text=50\\\\% off'`,
    "-vf drawtext=text='50% off':expansion=none",
    "-vf drawtext=text='%H h 50%':expansion=strftime",
    raw`-vf drawtext=text='%{pts\:hms}'`,
    raw`-vf "drawtext=text='%{localtime\:%H h %M}'"`,
    '-vf drawtext=text=plain',
    '-vf drawtext=textfile={{in_2}}',
    '-metadata title=50%',
  ]) {
    it(`a percent sign is drawn, or begins a function: ${option}`, () => {
      expect(found(option)).to.deep.equal([])
    })
  }

  it('a stray percent sign is found in a graph of several inputs and in a source', () => {
    const complex = '-filter_complex "[0:v]drawtext=text=\'5%\'[v]" -map "[v]"'
    expect(found(complex)).to.deep.equal(['%'])
    const source = stepOf('-f lavfi -i "color,drawtext=text=5%" {{out_1}}')
    expect(strayPercents(source)).to.deep.equal(['%'])
  })
})
