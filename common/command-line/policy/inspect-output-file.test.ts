import { expect } from 'chai'
import { argvOf, errorsOf, refusalOf } from '../../../testing/support/plan-one.ts'

describe('the null sink', () => {
  for (const sink of [
    '-f null -',
    '-f null /dev/null',
    '-f null NUL',
    '-f null NUL:',
    '-f null out.null',
    '-f mp4 NUL',
    '-f rawvideo nul',
    '-f mp4 /dev/null',
    '-f NULL -',
  ]) {
    it(`accepts ${sink} as the null sink`, () => {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${sink}`)).to.equal('accepted')
      const [, format, name] = sink.split(' ')
      expect(refusalOf(`-i {{in_1}} -f tee '{{out_1}}|[f=${format}]${name}'`)).to.equal('accepted')
    })
  }

  for (const output of ['-', '-f mp4 -', '/dev/null', 'NUL', '-f null /dev/zero']) {
    it(`rejects ${output}, which is not the null sink`, () => {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${output}`)).to.match(/^command_/)
    })
  }

  it('is not a file for the first of two passes that was written for Windows', () => {
    const argv = argvOf('-y -i {{in_1}} {{out_1}} -c:v libx264 -pass 1 -an -f mp4 NUL')
    expect(argv.slice(-3)).to.deep.equal(['-f', 'mp4', '/dev/null'])
  })
})

describe('a name that stands where a declared output is expected', () => {
  const message = (command: string): string | undefined => errorsOf(command)[0]?.message

  it('is refused with the declaration to use when it is a pattern, or one of variants', () => {
    expect(message('-i {{in_1}} thumb%03d.jpg')).to.contain('OUTPUT_FOLDER')
    const variants = '-var_stream_map v:0 -master_pl_name master.m3u8 stream_%v.m3u8'
    expect(message(`-i {{in_1}} ${variants}`)).to.contain('-master_pl_name {{out_playlist_1}}')
    expect(message('-i {{in_1}} b.mp4')).to.contain('{{out_1}}')
    const outputs = { out_1: 'a.mp4', out_2: 'b.mp4' }
    const [error] = errorsOf('-i {{in_1}} {{out_1}} b.mp4', { outputs })
    expect(error?.message).to.contain('{{out_2}}')
  })
  it('is refused with the name of the option in front of it, which takes no value', () => {
    for (const option of ['-autorotate 0', '-shortest 1', '-an true']) {
      const flag = option.split(' ')[0]
      expect(message(`-i {{in_1}} ${option} {{out_1}}`)).to.contain(`'${flag}' takes no value`)
    }
    expect(message('-autorotate 0 -i {{in_1}} {{out_1}}')).to.contain("'-noautorotate'")
    expect(message('-i {{in_1}} -map 0 1 {{out_1}}')).not.to.contain('takes no value')
    expect(message('-i {{in_1}} 0 {{out_1}}')).not.to.contain('takes no value')
  })

  it('is refused when it is standard input or output, or a drive of Windows', () => {
    for (const text of ['-', 'pipe:1', 'PIPE:']) {
      expect(message(`-i {{in_1}} -f mp4 ${text}`)).to.contain('is standard input or output')
    }
    expect(message(String.raw`-i 'C:\Users\a.mp4' {{out_1}}`)).to.contain('path of Windows')
    expect(message('-i D:/a.mp4 {{out_1}}')).to.contain('path of Windows')
  })
})
