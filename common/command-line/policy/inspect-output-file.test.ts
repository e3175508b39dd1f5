import { expect } from 'chai'
import { argvOf, errorsOf, folders, refusalOf } from '../../../testing/support/plan-one.ts'

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

  it('the null sink is not a file for the first of two passes that was written for Windows', () => {
    const argv = argvOf('-y -i {{in_1}} {{out_1}} -c:v libx264 -pass 1 -an -f mp4 NUL')
    expect(argv.slice(-3)).to.deep.equal(['-f', 'mp4', '/dev/null'])
  })
})

describe('a name that stands where a declared output is expected', () => {
  const message = (command: string): string | undefined => errorsOf(command)[0]?.message

  it('a name is refused with the declaration to use when it is a pattern, or one of variants', () => {
    expect(message('-i {{in_1}} thumb%03d.jpg')).to.contain('OUTPUT_FOLDER')
    const variants = '-var_stream_map v:0 -master_pl_name master.m3u8 stream_%v.m3u8'
    expect(message(`-i {{in_1}} ${variants}`)).to.contain('-master_pl_name {{out_playlist_1}}')
    expect(message('-i {{in_1}} b.mp4')).to.contain('{{out_1}}')
    const outputs = { out_1: 'a.mp4', out_2: 'b.mp4' }
    const [error] = errorsOf('-i {{in_1}} {{out_1}} b.mp4', { outputs })
    expect(error?.message).to.contain('{{out_2}}')
  })
  it('a name is refused with the name of the option in front of it, which takes no value', () => {
    for (const option of ['-autorotate 0', '-shortest 1', '-an true']) {
      const flag = option.split(' ')[0]
      expect(message(`-i {{in_1}} ${option} {{out_1}}`)).to.contain(`'${flag}' takes no value`)
    }
    expect(message('-autorotate 0 -i {{in_1}} {{out_1}}')).to.contain("'-noautorotate'")
    expect(message('-i {{in_1}} -map 0 1 {{out_1}}')).not.to.contain('takes no value')
    expect(message('-i {{in_1}} 0 {{out_1}}')).not.to.contain('takes no value')
  })

  it('a name is refused when it is standard input or output, or a drive of Windows', () => {
    for (const text of ['-', 'pipe:1', 'PIPE:']) {
      expect(message(`-i {{in_1}} -f mp4 ${text}`)).to.contain('is standard input or output')
    }
    expect(message(String.raw`-i 'C:\Users\a.mp4' {{out_1}}`)).to.contain('path of Windows')
    expect(message('-i D:/a.mp4 {{out_1}}')).to.contain('path of Windows')
  })
})

describe('an output that no command can write', () => {
  const message = (command: string, outputs?: Record<string, string>): string | undefined =>
    errorsOf(command, outputs === undefined ? {} : { outputs })[0]?.message

  for (const url of [
    '-f flv rtmp://live.example/app/KEY',
    's3://bucket/a.mp4',
    '-f mpegts srt://a.example:9000',
    'https://a.example/upload.mp4?sig=1',
    '-map 0 -f tee "{{out_1}}|[f=flv]rtmp://a.example/b"',
    '-hls_segment_filename https://a.example/%d.ts {{out_1}}',
  ]) {
    it(`an output is stored and not sent: ${url}`, () => {
      const said = message(`-i {{in_1}} -c copy ${url}`)
      expect(said).to.contain('is a URL, and FFmpeg sends nothing to other servers here')
      expect(said).to.contain('outputs are stored; declare one in output_files')
    })
  }

  it('an output is stored and not sent by a format of network streams', () => {
    expect(message('-i {{in_1}} -f rtsp {{out_1}}')).to.contain('outputs are stored; declare one')
  })

  it('an output is stored and not handed to a protocol', () => {
    for (const name of ['file:out.mp4', 'concat:a.ts|b.ts', 'crypto:a']) {
      expect(message(`-i {{in_1}} ${name}`), name).to.contain('names a protocol, and outputs are')
    }
  })

  for (const option of [
    '-vf drawtext=text=Hello World:x=10',
    '-metadata title=My Movie: Part 2',
    '-vf drawtext=text=Now: 12:30',
    '-metadata title=AC / DC',
    '-metadata comment=See https://a.example',
    '-metadata title=Up ../ down',
  ]) {
    it(`an output that no command can write is a word of a text without quotes: ${option}`, () => {
      expect(message(`-i {{in_1}} ${option} {{out_1}}`)).to.contain('put quotes around the value')
      const [error] = errorsOf(`-i a.mp4 ${option} b.mp4`, folders)
      expect(error?.message).to.contain('put quotes around the value')
    })
  }

  it('an output is not a word of a text behind a value that has its quotes, or is of another kind', () => {
    for (const option of ['-metadata "title=My Movie"', '-vf "hflip"', '-c copy']) {
      expect(message(`-i {{in_1}} ${option} /tmp/a.mp4`), option).not.to.contain('quotes')
    }
  })

  it('an output is the bare name where a folder is written as a placeholder', () => {
    for (const folder of ['{{OUTPUT_FOLDER}}', '{{ OUTPUT_FOLDER }}', '{{out_1}}']) {
      const pattern = `-i {{in_1}} ${folder}/t_%03d.jpg`
      expect(message(pattern), folder).to.contain("write the bare name 't_%03d.jpg' and set")
      const [error] = errorsOf(pattern.replace('{{in_1}}', 'a.mp4'), folders)
      expect(error?.message).to.match(/write the bare name 't_%03d.jpg'$/)
    }
    expect(message('-i {{in_1}} {{OUTPUT_FOLDER}}')).to.contain('as t_%03d.jpg')
  })

  it('an output is a declared one in a chain, which has no OUTPUT_FOLDER', () => {
    for (const output of ['{{OUTPUT_FOLDER}}/t_%03d.jpg', '{{OUTPUT_FOLDER}}']) {
      const [error] = errorsOf([`-i {{in_1}} ${output}`, '-i {{in_1}} {{out_1}}'])
      expect(error?.message, output).to.contain('in output_files')
      expect(error?.message, output).not.to.contain('set output_files to')
    }
  })

  it('an output is the playlist of -f hls where -f segment was to make one', () => {
    const outputs = { out_playlist_1: 'a.m3u8' }
    for (const list of ['{{out_playlist_1}}', 'a.m3u8']) {
      const command = `-i {{in_1}} -f segment -segment_list ${list} p%03d.ts`
      expect(message(command, outputs)).to.contain('-f hls in front of {{out_playlist_1}}')
    }
    const other = '-i {{in_1}} -f segment -segment_list {{out_1}} p%03d.ts'
    expect(message(other)).to.contain('-f hls in front of {{out_playlist_1}}')
  })
})
