import { expect } from 'chai'
import { argvOf, folders, planOf, refusalOf, stepOf } from '../../../testing/support/plan-one.ts'

const raw = String.raw
const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('files in filters', () => {
  const reading = [
    ['subtitles', 'subtitles=X'],
    ['subtitles', 'subtitles=filename=X:si=0'],
    ['subtitles', 'subtitles=f=X'],
    ['ass', 'ass=X'],
    ['fontsdir', 'ass={{in_1}}:fontsdir=X'],
    ['drawtext', 'drawtext=X:text=a'],
    ['drawtext', 'drawtext=fontfile=X:text=a'],
    ['drawtext', 'drawtext=textfile=X'],
    ['movie', 'movie=X[a];[in][a]overlay'],
    ['lut1d', 'lut1d=X'],
    ['lut3d', 'lut3d=file=X'],
    ['curves', 'curves=psfile=X'],
    ['curves', 'curves=none:0/0:0/0:0/0:0/0:0/0:X'],
    ['selectivecolor', 'selectivecolor=psfile=X'],
    ['sofalizer', 'sofalizer=X'],
    ['arnndn', 'arnndn=m=X'],
    ['removelogo', 'removelogo=X'],
    ['cellauto', 'cellauto=X'],
    ['life', 'life=f=X'],
    ['flite', 'flite=textfile=X'],
    ['find_rect', 'find_rect=X'],
    ['cover_rect', 'cover_rect=X'],
    ['fieldhint', 'fieldhint=X'],
    ['fsync', 'fsync=f=X'],
    ['nnedi', 'nnedi=X'],
    ['showcqt', 'showcqt=axisfile=X'],
    ['sr', 'sr=model=X'],
    ['derain', 'derain=model=X'],
  ] as const
  for (const [name, filter] of reading) {
    it(`checks the file that ${name} reads in ${filter}`, () => {
      const command = (file: string): string => withOption(`-vf "${filter.replace('X', file)}"`)
      expect(refusalOf(command('/etc/passwd'))).to.equal('command_forbidden /etc/passwd')
      expect(refusalOf(command('../x'))).to.equal('command_forbidden ../x')
      expect(refusalOf(command(raw`http\\\\://h/x`))).to.contain('command_forbidden http')
      expect(refusalOf(command('a.txt'))).to.equal('command_alias a.txt')
      expect(refusalOf(command('{{in_2}}.bak'))).to.equal('command_alias {{in_2}}.bak')
      expect(refusalOf(command('{{in_2}}'))).to.equal('accepted')
      const zipped = `-i a.mp4 -vf "${filter.replace('X', 'sub/a.txt').replace('{{in_1}}', 'b')}" o.mp4`
      expect(refusalOf(zipped, folders)).to.equal('accepted')
    })
  }

  const writing = [
    'metadata=print:file=X',
    'metadata=print:k:v:same_str:e:X',
    'ametadata=file=X',
    'psnr=X',
    'ssim=f=X',
    'ssim360=stats_file=X',
    'xpsnr=X',
    'vmafmotion=X',
    'vidstabdetect=X',
    'vidstabdetect=shakiness=5:result=X',
    'deshake=filename=X',
    'signature=filename=X',
    'curves=plot=X',
    'firequalizer=dumpfile=X',
    'paletteuse=debug_kdtree=X',
  ]
  for (const filter of writing) {
    it(`takes an output alias or a bare name for the file that ${filter} writes`, () => {
      const command = (file: string): string => withOption(`-vf "${filter.replace('X', file)}"`)
      const outputs = { outputs: { out_1: 'a.mp4', out_2: 'b.txt' } }
      expect(refusalOf(command('/etc/passwd'))).to.equal('command_forbidden /etc/passwd')
      expect(refusalOf(command('-'))).to.equal('command_forbidden -')
      expect(refusalOf(command('{{in_2}}'))).to.equal('command_alias {{in_2}}')
      expect(refusalOf(command('stats.log'))).to.equal('accepted')
      expect(planOf(command('{{out_2}}'), outputs).steps[0]?.writes).to.deep.equal([
        'out_2',
        'out_1',
      ])
    })
  }

  it('takes bare names where an earlier step may have left a file', () => {
    expect(refusalOf(withOption('-vf vidstabtransform=input=t.trf'))).to.equal('accepted')
    expect(refusalOf(withOption('-vf sendcmd=f=c.txt'))).to.equal('accepted')
    expect(refusalOf(withOption('-af asendcmd=filename=/c'))).to.equal('command_forbidden /c')
  })

  it('makes of a font behind fontsdir a folder that holds it', () => {
    for (const option of [
      '-vf subtitles={{in_1}}:fontsdir={{in_2}}',
      `-vf "hflip,subtitles=f={{in_1}}:fontsdir='{{in_2}}',vflip"`,
      '-filter_complex ass=f={{in_1}}:fontsdir=<<in_2>>',
      '-vf ass={{in_1}}::{{in_2}}',
    ]) {
      const command = withOption(option)
      expect(stepOf(command).fontFolders, option).to.deep.equal(['in_2'])
      const graph = argvOf(command).find((word) => word.includes('in_2')) ?? ''
      expect(graph, option).to.match(/[:=]'?\.\.\/in\/in_2\.mp4\.fonts'?(?:$|,)/)
      expect(graph, option).to.contain('../in/in_1.mp4:')
    }
    const source = stepOf('-f lavfi -i "color,subtitles={{in_1}}:fontsdir={{in_2}}" {{out_1}}')
    expect(source.groups[0]?.target).to.deep.equal([
      'color,subtitles=',
      { input: 'in_1' },
      ':fontsdir=',
      { input: 'in_2' },
      '.fonts',
    ])
    expect(stepOf(withOption('-vf drawtext=fontfile={{in_2}}:text=a')).fontFolders).to.deep.equal(
      [],
    )
  })

  it("takes the image's fonts and no other absolute path", () => {
    const font = (path: string): string =>
      refusalOf(withOption(`-vf drawtext=fontfile=${path}:text=a`))
    expect(font('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf')).to.equal('accepted')
    expect(font('/usr/share/fonts/../../../etc/passwd')).to.contain('command_forbidden')
    expect(font('/usr/share/fonts2/a')).to.contain('command_forbidden')
    for (const folder of ['/usr/share/fonts', '/usr/share/fonts/', '/usr/share/fonts/truetype']) {
      const option = `-vf subtitles={{in_2}}:fontsdir=${folder}`
      expect(refusalOf(withOption(option)), folder).to.equal('accepted')
    }
    expect(refusalOf(withOption('-vf drawtext=textfile=/usr/share/fonts/a'))).to.contain(
      'forbidden',
    )
  })
})
