import { expect } from 'chai'
import { errorsOf, folders, refusalOf } from '../../../testing/support/plan-one.ts'

const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('shell habits', () => {
  for (const word of ['|', '||', '&', '&&', ';', '>', '>>', '<', '2>', '2>&1', '>out.txt', '&>x']) {
    it(`refuses the operator ${word} but not in quotes`, () => {
      expect(refusalOf(`-i {{in_1}} {{out_1}} ${word} x`)).to.equal(`command_syntax ${word}`)
      expect(refusalOf(withOption(`-metadata '${word}'`))).to.equal('accepted')
    })
  }

  for (const word of ['“title”', '”x', '‘x’', '’x', '«x']) {
    it(`refuses ${word} for its typographic start`, () => {
      expect(refusalOf(withOption(`-metadata ${word}`))).to.equal(`command_syntax ${word}`)
    })
  }

  for (const space of ['\u00a0', '\u00ad', '\u200b', '\u2028', '\u2029', '\u202f', '\ufeff']) {
    const codePoint = `U+${space.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

    it(`refuses ${codePoint} between words but not in a text`, () => {
      expect(refusalOf(withOption(`-c:v${space}copy`))).to.equal(`command_syntax -c:v${space}copy`)
      expect(refusalOf(`-i {{in_1}}${space}-an {{out_1}}`)).to.contain('command_syntax')
      expect(refusalOf(withOption(`-metadata title='a${space}b'`))).to.equal('accepted')
      expect(refusalOf(withOption(`-metadata title=a${space}b`))).to.equal('accepted')
    })

    it(`names ${codePoint} in front of an option, of a value and within an option`, () => {
      for (const option of [`${space}-c copy`, `-c ${space}copy`, `-c${space}:v copy`]) {
        const message = errorsOf(withOption(option))[0]?.message
        expect(message, option).to.contain(`the character ${codePoint}`)
        expect(message, option).to.contain(`<${codePoint}>`)
        expect(message, option).not.to.contain(space)
      }
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
    expect(refusalOf(withOption('-metadata title=$(date)'))).to.equal('command_syntax $(date)')
    const inside = withOption('-metadata title="on $(date +%F) we"')
    expect(refusalOf(inside)).to.equal('command_syntax $(date +%F) we"')
    expect(refusalOf(withOption('-vf scale=$((1280/2)):-1'))).to.contain(
      'command_syntax $((1280/2))',
    )
    expect(refusalOf(withOption('-metadata title="`date`"'))).to.equal('command_syntax `date`"')
    for (const text of [
      'it`s',
      "'`date`'",
      '\\$(date)',
      '"a\\`b\\`"',
      '$5',
      '"$HOME"',
      "$'a\\'$(b)'",
    ]) {
      expect(refusalOf(withOption(`-metadata title=${text}`)), text).to.equal('accepted')
    }
  })

  it('refuses a comment behind the command, even when outputs have any name', () => {
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
    it(`says that ${name} in front is not FFmpeg`, () => {
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

  it('explains an option that swallows the next one, a call of PowerShell, and quotes within a token', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    const misspelt = message('-hide_baner -i {{in_1}} {{out_1}}')
    expect(misspelt).to.contain("'-hide_baner' at character 1 would take '-i' for its value")
    expect(message('& "C:/ffmpeg.exe" -i {{in_1}} {{out_1}}')).to.contain('PowerShell; remove it')
    const quoted = message(withOption(String.raw`-vf subtitles=\"{{in_2}}\"`))
    expect(quoted).to.contain('remove the quotes around it')
  })

  it('takes a file that is called after the program for a file', () => {
    expect(refusalOf('-i a.mp4 ffmpeg-7.mp4', folders)).to.equal('accepted')
    const [error] = errorsOf('-i a.mp4 b.mp4\n/usr/bin/ffmpeg -i b.mp4 c.mp4', folders)
    expect(error?.message).to.contain('as a chain of commands')
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

  it('names the text in front of a command that was copied with it', () => {
    const command = 'ffmpeg -i {{in_1}} {{out_1}}'
    for (const front of [
      '1. ',
      '- ',
      'user@host:~$ ',
      'Command: ',
      '@echo off\n',
      '!',
      '**',
      '= ',
    ]) {
      const [error] = errorsOf(`${front}${command}`)
      expect(error?.type, front).to.equal('command_syntax')
      expect(error?.message, front).to.contain('A command begins with ffmpeg or its first option')
    }
    for (const front of ['\ufeff', '\u200b', '\u00a0', '%FFMPEG% ']) {
      const text = front.startsWith('%') ? command.replace('ffmpeg ', front) : `${front}${command}`
      expect(refusalOf(text), front).to.equal('accepted')
    }
    for (const code of ['["-i", "{{in_1}}"', 'subprocess.run(["ffmpeg"', '"ffmpeg_command": "-i']) {
      expect(errorsOf(`${code}`)[0]?.message ?? '', code).to.match(/source|never closed/)
    }
    expect(errorsOf("['-i', '{{in_1}}', '{{out_1}}']")[0]?.message).to.contain("program's source")
  })

  it('distinguishes a pipe, a further command, a list and a blank of an example', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    expect(message('-i {{in_1}} {{out_1}} | tee log.txt')).to.contain('remove it and what follows')
    expect(message('-i {{in_1}} {{out_1}} && rm x')).to.contain('remove it and what follows')
    expect(message('-i {{in_1}} {{out_1}}; ffmpeg -i x y')).to.contain('send a chain')
    expect(message('-i {{in_1}} {{out_1}}&& ffmpeg -i x y')).to.contain('send a chain')
    expect(message(withOption('-filter_complex [0:v]hflip[a] ; [a]vflip'))).to.contain('quote the')
    expect(message("-f concat -i <(echo 'a') {{out_1}}")).to.contain('send a list as an input file')
    expect(message('-ss <start> -i {{in_1}} {{out_1}}')).to.contain('left over from an example')
    expect(message('ffmpeg [global_options] -i {{in_1}} {{out_1}}')).to.contain('left over from an')
  })

  it('names texts that were encoded once too often or not filled in', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    expect(message(withOption('-vf \\"hflip\\"'))).to.contain('escaped as in JSON')
    expect(message('-i \\"{{in_1}}\\" {{out_1}}')).to.contain('escaped as in JSON')
    expect(message('-i {{in_1}}\\n-vf hflip {{out_1}}')).to.contain(
      'a line break as JSON writes it',
    )
    expect(message(withOption('-t {{ $json.seconds }}'))).to.contain('was not filled in')
    expect(message(withOption('-vf "drawtext=text=\'{{ $json.title }}\'"'))).to.contain(
      'not filled in',
    )
    expect(message(withOption('-metadata title="{{1.title}}"'))).to.contain('was not filled in')
    expect(refusalOf(withOption('-metadata title=\\"x\\"'))).to.equal('accepted')
    expect(message(withOption('-vf "hflip”'))).to.contain('” is typographic')
  })

  it('names text that was escaped for HTML', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    for (const command of [
      withOption('-filter_complex &quot;[0:v]hflip[v]&quot;'),
      withOption('-vf &#39;scale=64:-2&#39;'),
      withOption('-vf &#x27;scale=64:-2&#x27;'),
      '-i &lt;&lt;in_1&gt;&gt; {{out_1}}',
      '-i {{in_1}} {{out_1}} &amp;&amp; ls',
      '-i {{in_1}} {{out_1}} 2&gt;&amp;1',
    ]) {
      expect(message(command), command).to.contain('is escaped for HTML')
    }
    expect(message(withOption('-metadata title=&quot;My Film&quot;'))).to.contain("type ' or")
    expect(refusalOf(withOption('-metadata title=Tom&amp;Jerry'))).to.equal('accepted')
    expect(refusalOf(withOption('-metadata title=It&#39;s'))).to.equal('accepted')
    expect(refusalOf(withOption("-metadata 'title=&quot;x y&quot;'"))).to.equal('accepted')
  })

  it('names text that was escaped for a URL', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    for (const command of [
      '-i%20{{in_1}}%20{{out_1}}',
      'ffmpeg%20-i%20{{in_1}}%20{{out_1}}',
      '-i%2520{{in_1}}%2520{{out_1}}',
      '-i+{{in_1}}+{{out_1}}',
      '-i {{in_1}}%20-an {{out_1}}',
      '-i%20%7B%7Bin_1%7D%7D%20%7B%7Bout_1%7D%7D',
      '-i %7B%7Bin_1%7D%7D {{out_1}}',
    ]) {
      expect(message(command), command).to.contain('is percent-encoded')
    }
    expect(refusalOf(withOption('-metadata title=50%20off'))).to.equal('accepted')
    expect(refusalOf(withOption('-flags:v +bitexact'))).to.equal('accepted')
  })

  it('names typographic quotes around a value with blanks, but takes them in a text', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    for (const option of [
      '-metadata title=“My Film”',
      '-vf drawtext=text=‘Hello World’:x=10',
      '-metadata title=«Mon film»',
    ]) {
      expect(message(withOption(option)), option).to.contain("type ' or")
    }
    expect(refusalOf(withOption('-metadata title=“Film”'))).to.equal('accepted')
    expect(refusalOf(withOption('-metadata "title=“My Film”"'))).to.equal('accepted')
  })

  it('names capitals, look-alikes of blanks and colons, and names unknown to FFmpeg', () => {
    const message = (command: string): string | undefined => errorsOf(command)[0]?.message
    expect(message(withOption('-AN'))).to.contain("write '-an'")
    expect(message(withOption('-C:v copy'))).to.contain("write '-c:v'")
    expect(message(withOption('-c\uff1av copy'))).to.contain("write '-c:v'")
    expect(message('--input {{in_1}} {{out_1}}')).to.contain("write '-i'")
    expect(message('-filter_complex"[0:v]scale=w=2[v]" {{out_1}}')).to.contain("behind '-filter_c")
    expect(message('-i C:\\Users\\me\\a.mp4 {{out_1}}')).to.contain('path of Windows')
    expect(message('-i img%03d.png {{out_1}}')).to.contain(
      'send its URL as input_compressed_folder',
    )
  })

  it('takes what goes from standard output into an output for that output', () => {
    expect(refusalOf('-i {{in_1}} -f framemd5 - > {{out_1}}')).to.equal('accepted')
    expect(refusalOf('-i {{in_1}} -f framemd5 pipe:1 > {{out_1}}')).to.equal('accepted')
    expect(refusalOf('-i {{in_1}} -f framemd5 - > a.md5')).to.contain('command_')
  })

  it('explains long dashes and other programs', () => {
    expect(refusalOf(`–i {{in_1}} {{out_1}}`)).to.equal('command_syntax –i')
    const [error] = errorsOf('ffprobe -i {{in_1}}')
    expect(error?.type).to.equal('command_syntax')
    expect(error?.message).to.contain('/v1/files/store-file')
  })
})
