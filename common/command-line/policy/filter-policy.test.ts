import { expect } from 'chai'
import filterNames from '../grammar/filters.json' with { type: 'json' }
import { errorsOf, folders, refusalOf } from '../../../testing/support/plan-one.ts'

const raw = String.raw
const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('refused filters', () => {
  const named =
    'ladspa lv2 frei0r frei0r_src openclsrc program_opencl zmq azmq asr whisper libplacebo dnn_detect dnn_classify dnn_processing scale_vaapi scale_qsv scale_cuda scale_npp scale_vulkan overlay_opencl hwupload hwupload_cuda hwmap'
  const families = /_(?:opencl|vulkan|vaapi|qsv|cuda|npp)$/
  const names = new Set([...named.split(' '), ...filterNames.filter((name) => families.test(name))])
  const spellings: ((name: string) => string)[] = [
    (name) => name,
    (name) => `\\${name}`,
    (name) => `${name.slice(0, 2)}\\${name.slice(2)}`,
    (name) => `'${name}'`,
    (name) => `${name.slice(0, 1)}'${name.slice(1)}'`,
    (name) => `${name}@mine`,
    (name) => `\n  ${name} \t`,
  ]
  for (const name of names) {
    it(`refuses ${name} in all seven spellings and after other filters`, () => {
      for (const spelling of spellings) {
        for (const option of ['-vf', '-filter:v:0', '-filter_complex', '-lavfi', '-af']) {
          const command = withOption(`${option} "[0:v]hflip[a];[a]${spelling(name)}=file=x,null"`)
          const [error] = errorsOf(command)
          expect(error?.type, command).to.equal('command_forbidden')
          expect(error?.message).to.contain(`'${name}'`)
        }
      }
      const source = `-f lavfi -i "${name}=x" {{out_1}}`
      expect(refusalOf(source)).to.equal(`command_forbidden ${name}`)
    })
  }

  it('says what serves in place of filters that FFmpeg is built without', () => {
    const message = (option: string): string | undefined => errorsOf(withOption(option))[0]?.message
    for (const option of [
      '-i {{in_2}} -lavfi libvmaf',
      '-i {{in_2}} -filter_complex "[0:v][1:v]libvmaf=log_path=a.json:log_fmt=json"',
      '-vf libvmaf@one',
    ]) {
      expect(message(option), option).to.contain('ssim, psnr or xpsnr measure the quality')
    }
    expect(message('-af whisper=model=a')).to.contain('no other filter recognises speech')
  })

  for (const option of [
    '-vf scale=‘160’:-2',
    '-vf "scale=w=“160”:h=-2"',
    '-vf "select=‘gt(n\\,1)’"',
    '-filter_complex "[0:v]drawbox=color=‚red‘[v]" -map "[v]"',
  ]) {
    it(`names typographic quotes around a value: ${option}`, () => {
      const [error] = errorsOf(withOption(option))
      expect(error?.type).to.equal('command_syntax')
      expect(error?.message).to.contain('begins with a typographic quote')
    })
  }

  it('takes typographic quotes in texts', () => {
    for (const option of ['-vf drawtext=text=“Hi”', '-vf metadata=add:k:“v”']) {
      expect(refusalOf(withOption(option)), option).to.equal('accepted')
    }
  })

  it('checks the reading that FFmpeg will get', () => {
    expect(refusalOf(withOption('-vf la"dspa"=file=x'))).to.equal('command_forbidden la"dspa')
    expect(refusalOf(withOption("-vf la'dspa'=file=x"))).to.equal("command_forbidden la'dspa")
  })

  it('refuses filter options that are read from a file', () => {
    expect(refusalOf(withOption('-vf drawtext=/text=a'))).to.equal('command_forbidden /text')
    expect(refusalOf(withOption("-vf 'drawtext= /text =a'"))).to.equal('command_forbidden /text')
    expect(refusalOf(withOption(raw`-vf "drawtext=\\/text=a"`))).to.contain('command_forbidden')
  })

  it('refuses a graph within a graph and devices behind movie', () => {
    const movie = (rest: string): string =>
      refusalOf(`-f lavfi -i movie={{in_1}}:${rest} {{out_1}}`)
    expect(movie('f=lavfi')).to.equal('command_forbidden lavfi')
    expect(movie('format_name=v4l2')).to.equal('command_forbidden v4l2')
    expect(movie('format_opts=protocol_whitelist=http')).to.contain('command_forbidden')
    expect(movie('f=mpegts')).to.equal('accepted')
  })

  it('refuses numbers of threads that would come on top of the service’s own', () => {
    for (const filter of [
      'scale=64:64:threads=512',
      'scale2ref=threads=8',
      'movie=a.mp4:dec_threads=9',
    ]) {
      const [error] = errorsOf(`-i a.mp4 -vf ${filter} b.mp4`, folders)
      expect(error?.message, filter).to.contain("threads of the filter's own")
    }
    expect(refusalOf(withOption('-vf scale=64:64:threads=1'))).to.equal('accepted')
    const [error] = errorsOf(withOption('-vf sws_flags=bicubic:threads=512;hflip'))
    expect(error?.message).to.contain('which the service counts')
  })

  it('checks the graph that stands for the name of a lavfi input', () => {
    const graph = (text: string): string =>
      refusalOf(`-f lavfi -graph "${text}" -i dummy {{out_1}}`)
    expect(graph('testsrc [out0]; testsrc,hflip [out1]')).to.equal('accepted')
    expect(graph('amovie=/etc/passwd:f=u8')).to.equal('command_forbidden /etc/passwd')
    expect(graph('anullsrc,ladspa=file=x')).to.equal('command_forbidden ladspa')
  })

  it('refuses graphs that cannot be parsed, at the place', () => {
    const [error] = errorsOf(withOption('-filter_complex "[0:v]scale=w=1:2[a"'))
    expect(error?.type).to.equal('command_syntax')
    expect(error?.message).to.contain('Filter graph not understood')
  })

  for (const path of [
    'C:/a.ttf',
    'https://media.example/a.ttf',
    raw`C:\Windows\Fonts\arial.ttf`,
    raw`C\\:/Windows/Fonts/arial.ttf`,
    's3://bucket/a.ttf',
  ]) {
    it(`refused filters are advised to get an input in place of ${path}`, () => {
      const message = (option: string): string | undefined =>
        errorsOf(withOption(`-vf "${option}"`))[0]?.message
      const font =
        'send the font as an input and write its alias, as {{in_2}}, or name one by font='
      expect(message(`drawtext=fontfile=${path}:text=a`)).to.contain(font)
      expect(message(`drawtext=fontfile='${path}':text=a`)).to.contain(font)
      const file = 'send the file as an input and write its alias'
      expect(message(`lut3d=interp=nearest:file=${path}`)).to.contain(file)
    })
  }

  it('refused filters are advised to get quotes only when they have none, and of FFmpeg’s own for a colon', () => {
    const message = (graph: string): string | undefined =>
      errorsOf(`-i {{in_1}} -vf ${graph} {{out_1}}`)[0]?.message
    expect(message('[0:v] hflip')).to.contain('a graph with blanks needs quotes')
    expect(message("'hflip,,vflip'")).to.match(/the name of a filter is missing$/)
    expect(message('"drawtext=text=a: b"')).to.contain("for each ':' within a value")
    expect(message('"drawtext=text=\'a: b\'"')).to.contain('write \\: for each')
    expect(message("'hflip;\n# turned\nvflip'")).to.contain('a graph has no comments')
    expect(message("'hflip; ^\n vflip'")).to.contain("'^' continues a line in a terminal of Win")
    expect(refusalOf(withOption('-vf "null[a]null"'))).to.equal('command_syntax n')
  })
})
