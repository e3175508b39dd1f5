import { expect } from 'chai'
import { errorsOf, folders, refusalOf } from './plan-one.fixture.ts'

const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('shell habits', () => {
  for (const word of ['|', '||', '&', '&&', ';', '>', '>>', '<', '2>', '2>&1', '>out.txt', '&>x']) {
    it(`refuses the operator ${word} but not in quotes`, () => {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${word} x`)).to.equal(`command_syntax ${word}`)
      expect(refusalOf(withOption(`-metadata '${word}'`))).to.equal('accepted')
    })
  }

  for (const word of ['“title”', '”x', '‘x’', '’x', '\u00a0-i']) {
    it(`refuses ${word} for its typographic start`, () => {
      expect(refusalOf(withOption(`-metadata ${word}`))).to.equal(`command_syntax ${word}`)
    })
  }

  for (const space of ['\u00a0', '\u200b', '\u202f', '\ufeff']) {
    it(`refuses ${JSON.stringify(space)} between words but not in a text`, () => {
      expect(refusalOf(withOption(`-c:v${space}copy`))).to.equal(`command_syntax -c:v${space}copy`)
      expect(refusalOf(`-i {{in_1}}${space}-an {{out_1}}`)).to.contain('command_syntax')
      expect(refusalOf(withOption(`-metadata title='a${space}b'`))).to.equal('accepted')
      expect(refusalOf(withOption(`-metadata title=a${space}b`))).to.equal('accepted')
    })
  }

  for (const word of ['$', '%', '#']) {
    it(`takes ${word} in front for a prompt, and nowhere else`, () => {
      expect(refusalOf(`${word} ffmpeg -i {{in_1}} {{out_1}}`)).to.equal(`command_syntax ${word}`)
      expect(refusalOf(withOption(`-metadata ${word}`))).to.equal('accepted')
    })
  }

  it('refuses the answer of another program but not in quotes', () => {
    expect(refusalOf(withOption('-t $(ffprobe'))).to.equal('command_syntax $(ffprobe')
    expect(refusalOf(withOption('-t `cat'))).to.equal('command_syntax `cat')
    expect(refusalOf(withOption("-metadata '$(date)'"))).to.equal('accepted')
    expect(refusalOf(withOption('-metadata title=$(date)'))).to.equal('accepted')
  })

  it('refuses a comment behind the command, also where outputs have any name', () => {
    const command = '-i {{in_1}} {{out_1}} # copied'
    expect(refusalOf(command)).to.equal('command_syntax #')
    const [error] = errorsOf('-i a.mp4 b.mp4 # copied', folders)
    expect(error?.message).to.contain('no comments')
    expect(refusalOf(withOption('-metadata #1'))).to.equal('accepted')
  })

  for (const name of [
    'FFMPEG',
    'ffmpeg.exe',
    'ffmpeg7',
    'ffmpeg-7.1-static/ffmpeg',
    'avconv',
    '$FFMPEG',
    '"${FFMPEG_PATH}"',
    '.\\ffmpeg.exe',
    'C:\\ffmpeg\\bin\\ffmpeg.exe',
    '"C:\\Program Files\\ffmpeg\\bin\\ffmpeg.exe"',
    "'/opt/my tools/ffmpeg'",
    'ffmpeg\\\n',
    'ffmpeg\\\r\n',
  ]) {
    it(`drops the program ${name} in front`, () => {
      expect(refusalOf(`${name} -i {{in_1}} {{out_1}}`)).to.equal('accepted')
    })
  }

  for (const name of ['sudo', 'time', 'docker', 'for', 'cat', 'cd', 'npx', 'FFREPORT=file=a']) {
    it(`says that ${name} in front is no FFmpeg`, () => {
      const [error] = errorsOf(`${name} ffmpeg -i {{in_1}} {{out_1}}`)
      expect(error?.type).to.equal('command_syntax')
      expect(error?.message).to.contain(`Only ffmpeg can be run, not '${name}'`)
    })
  }

  for (const mark of ['^', '`']) {
    it(`says that ${mark} continues no line here, but takes it elsewhere`, () => {
      for (const end of ['\n', '\r\n', ' \n']) {
        const [error] = errorsOf(`ffmpeg -i {{in_1}} ${mark}${end} -c copy {{out_1}}`)
        expect(error?.type).to.equal('command_syntax')
        expect(error?.message).to.contain('write a backslash')
      }
      expect(refusalOf(withOption(`-metadata a${mark}b`))).to.equal('accepted')
    })
  }

  it('explains values behind equals signs, second commands, comments and what examples leave out', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    expect(message('-i {{in_1}} -ss=5 {{out_1}}')).to.contain("write '-ss 5'")
    expect(message('-i {{in_1}}\nffmpeg -i {{out_1}} -f null -')).to.contain('as a chain')
    expect(message('-i {{in_1}} \\\t# the input\n{{out_1}}')).to.contain('followed by a comment')
    expect(message(withOption('... -an'))).to.contain('left over from an example')
    expect(refusalOf(withOption('-metadata ...'))).to.equal('command_syntax ...')
  })

  it('explains backticks of Markdown and quotes around the whole command', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    const command = 'ffmpeg -i {{in_1}} {{out_1}}'
    for (const fence of ['`', '```\n', '```bash\n']) {
      expect(message(`${fence}${command}${fence}`)).to.contain('remove the backticks')
    }
    expect(message(`"${command}"`)).to.contain('Quotes around the whole command')
    expect(message("'-i {{in_1}} {{out_1}}'")).to.contain('Quotes around the whole command')
  })

  it('explains a misspelt program, options of other programs and files for messages', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    expect(message('fmpeg -i {{in_1}} {{out_1}}')).to.contain("Only ffmpeg can be run, not 'fmpeg'")
    expect(message('-I {{in_1}} {{out_1}}')).to.contain("write '-i'")
    expect(message('-i {{in_1}} -o {{out_1}}')).to.contain('an output stands alone')
    expect(message('-i {{in_1}} {{out_1}} 2> log.txt')).to.contain('is in the logs')
  })

  it('explains long dashes and other programs', () => {
    expect(refusalOf(`–i {{in_1}} {{out_1}}`)).to.equal('command_syntax –i')
    const [error] = errorsOf('ffprobe -i {{in_1}}')
    expect(error?.type).to.equal('command_syntax')
    expect(error?.message).to.contain('/v1/files/store-file')
  })
})
