import { expect } from 'chai'
import { folders, planOf, refusalOf } from '../../../testing/support/plan-one.ts'

const raw = String.raw
const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('refused paths', () => {
  const paths =
    'http://h/a.mp4 HTTPS://h/a file:/etc/passwd file:a.mp4 pipe:0 pipe: data:,x fd:0 unix:/x concat:a|/b crypto:a subfile,,start,0,end,1,,:a cache:a async:a tcp://h:1 rtmp://h/a x:y.mp4 1x:y /etc/passwd ../a a/../../b a/.. ~/a ~root/a {..,a}/b'
  for (const path of paths.split(' ')) {
    it(`refuses ${path} as input, output and file of an option`, () => {
      const zipped = (command: string): string => refusalOf(command, folders)
      expect(zipped(`-i '${path}' o.mp4`)).to.equal(`command_forbidden '${path}'`)
      expect(zipped(`-i a.mp4 -f mp4 '${path}'`)).to.equal(`command_forbidden '${path}'`)
      expect(zipped(`-i a.mp4 -attach '${path}' o.mkv`)).to.equal(`command_forbidden '${path}'`)
      for (const option of [
        'passlogfile',
        'hls_segment_filename',
        'hls_fmp4_init_filename',
        'segment_list',
        'init_seg_name',
        'media_seg_name',
        'master_pl_name',
        'stats_enc_pre',
        'stats_enc_post',
        'stats_mux_pre',
      ]) {
        expect(refusalOf(withOption(`-${option} '${path}'`))).to.equal(
          `command_forbidden '${path}'`,
        )
        expect(refusalOf(withOption(`-${option} name`))).to.equal('accepted')
      }
    })
  }

  for (const option of ['attach', 'sub_name', 'ifo_palette', 'assetmaps']) {
    it(`lets -${option} read a declared file, bare names only beside a zip`, () => {
      const command = (file: string): string => `-${option} ${file} -i {{in_1}} {{out_1}}`
      expect(refusalOf(command('{{in_2}}'))).to.equal('accepted')
      expect(refusalOf(command('a.sub'))).to.equal('command_alias a.sub')
      expect(refusalOf(command('/etc/passwd'))).to.equal('command_forbidden /etc/passwd')
      expect(refusalOf(`-${option} a.sub -i b.idx c.mkv`, folders)).to.equal('accepted')
    })
  }

  it('checks the option lists of nested muxers', () => {
    for (const option of ['hls_segment_options', 'segment_format_options', 'format_opts']) {
      const command = (list: string): string => withOption(`-${option} ${list}`)
      expect(refusalOf(command('movflags=faststart:brand=mp42'))).to.equal('accepted')
      expect(refusalOf(command('a=b:method=PUT'))).to.contain('command_forbidden')
      expect(refusalOf(command('hls_segment_filename=/tmp/a'))).to.contain('command_forbidden')
    }
    const leg = (list: string): string =>
      `-i {{in_1}} -f tee '[f=fifo:fifo_options=${list}]{{out_1}}'`
    expect(refusalOf(leg('queue_size=60'))).to.equal('accepted')
    expect(refusalOf(leg('protocol_whitelist=http'))).to.contain('command_forbidden')
  })

  it('refuses a leading pipe sign and dash, and backslashes', () => {
    for (const path of ['|ls', '-', raw`a\b`]) {
      expect(refusalOf(`-i '${path}' o.mp4`, folders)).to.contain('command_forbidden')
      expect(refusalOf(withOption(`-passlogfile '${path}'`))).to.contain('command_forbidden')
    }
  })

  it('takes formats of statistics for text', () => {
    expect(refusalOf(withOption(`-stats_enc_pre s -stats_enc_pre_fmt '/{n}:..'`))).to.equal(
      'accepted',
    )
  })

  it('takes patterns and folders as bare names where these are allowed', () => {
    const plan = planOf("-pattern_type glob -i '*.png' -i f_%03d.png out/%Y/part%03d.mp4", folders)
    expect(plan.steps[0]?.folders).to.deep.equal(['out'])
  })
})
