import { expect } from 'chai'
import { argvOf, errorsOf, planOf, refusalOf } from '../../../testing/support/plan-one.ts'

const withOption = (option: string): string => `-i {{in_1}} ${option} {{out_1}}`

describe('refused options', () => {
  const files =
    'report progress vstats vstats_file sdp_file dump hex dump_attachment apre pre fpre spre vpre filter_script filter_complex_script graph_file print_graphs print_graphs_file print_graphs_format'
  const network =
    'protocol_whitelist protocol_blacklist listen method http_proxy headers cookies user_agent gateway hls_key_info_file enable_drefs use_absolute_path'
  const devices =
    'hwaccel hwaccel_device hwaccel_output_format init_hw_device filter_hw_device vaapi_device qsv_device'
  const information =
    'h help ? version L buildconf formats muxers demuxers devices codecs encoders decoders bsfs protocols filters pix_fmts layouts sample_fmts dispositions colors sources sinks hwaccels'
  for (const name of `${files} ${network} ${devices} ${information}`.split(' ')) {
    it(`refuses -${name}, plain, for one stream, twice, and among others`, () => {
      for (const flag of [`-${name}`, `-${name}:v`]) {
        expect(refusalOf(`-i {{in_1}} ${flag} x {{out_1}}`)).to.equal(`command_forbidden ${flag}`)
        expect(refusalOf(`${flag} x -i {{in_1}} -c copy {{out_1}}`)).to.equal(
          `command_forbidden ${flag}`,
        )
        expect(refusalOf(`-i {{in_1}} {{out_1}} ${flag}`)).to.equal(`command_forbidden ${flag}`)
        const [error] = errorsOf(`-i {{in_1}} ${flag} x ${flag} y {{out_1}}`)
        expect(error).to.deep.include({ type: 'command_forbidden', position: 13 })
      }
      expect(refusalOf(`-i {{in_1}} "-${name}" x {{out_1}}`)).to.contain('command_forbidden')
    })
  }

  it('refuses every option that reads its value from a file', () => {
    expect(refusalOf(withOption('-/metadata x'))).to.equal('command_forbidden -/metadata')
    expect(refusalOf(withOption('-/vf x'))).to.equal('command_forbidden -/vf')
  })

  it('says that a list of URLs needs no protocols', () => {
    const list = '-f concat -safe 0 -protocol_whitelist file,https,tls,tcp -i {{in_1}} {{out_1}}'
    expect(errorsOf(list)[0]?.message).to.match(
      /-protocol_whitelist.* is not needed: .* is fetched before FFmpeg starts; remove it/,
    )
    expect(refusalOf('-f concat -safe 0 -i {{in_1}} -c copy {{out_1}}')).to.equal('accepted')
  })

  it('the parser does not take a value of that name for a refused option', () => {
    expect(refusalOf(withOption('-metadata -progress'))).to.equal('accepted')
  })

  for (const [old, modern] of [
    ['absf', '-bsf:a'],
    ['vbsf', '-bsf:v'],
    ['intra', '-g 1'],
    ['deinterlace', 'yadif'],
    ['psnr', '-flags +psnr'],
    ['map_channel', 'channelsplit'],
    ['vol', 'volume='],
    ['sameq', '-q:v'],
    ['newaudio', '-map'],
    ['map_meta_data', '-map_metadata'],
  ]) {
    it(`names the modern spelling of -${old}`, () => {
      const [error] = errorsOf(withOption(`-${old} 1`))
      expect(error?.type).to.equal('command_syntax')
      expect(error?.message).to.contain(modern)
    })
  }

  it('lists the options that take no value', () => {
    const flags =
      '-y -vn -sn -dn -shortest -copyts -start_at_zero -ignore_unknown -copy_unknown -benchmark -debug_ts -xerror -bitexact -autoscale -noautoscale -force_fps -copyinkf -fix_sub_duration -nofix_sub_duration'
    expect(refusalOf(`-re -accurate_seek -noautorotate -i {{in_1}} ${flags} {{out_1}}`)).to.equal(
      'accepted',
    )
    const valued =
      '-apply_cropping 1 -seek_timestamp 1 -guess_layout_max 2 -isync 0 -i {{in_1}} -copypriorss 1'
    expect(refusalOf(`${valued} {{out_1}}`)).to.equal('accepted')
  })

  it('passes on options that it does not know, with one value', () => {
    expect(argvOf(withOption('-no_such_thing 1')).slice(2)).to.deep.equal([
      '-no_such_thing',
      '1',
      'out.mp4',
    ])
  })

  it('takes two dashes in front of an output for what they are to FFmpeg', () => {
    expect(argvOf('-i {{in_1}} -- {{out_1}}')).to.deep.equal(argvOf('-i {{in_1}} {{out_1}}'))
    expect(refusalOf('-i {{in_1}} -- /tmp/a.mp4')).to.equal('command_forbidden /tmp/a.mp4')
    expect(refusalOf('-i {{in_1}} {{out_1}} --')).to.equal('accepted')
  })

  it('takes only -i itself for an input', () => {
    const roles = planOf('-i:v {{in_1}} {{out_1}}').steps[0]?.placeholders.map(({ role }) => role)
    expect(roles).to.deep.equal(['reference', 'output'])
  })

  it('refuses two dashes, an option without its value, a placeholder in a name', () => {
    expect(refusalOf(withOption('--progress x'))).to.equal('command_syntax --progress')
    expect(refusalOf('-i {{in_1}} -- -an {{out_1}}')).to.equal('command_syntax --')
    expect(refusalOf('-i {{in_1}} {{out_1}} -c:v')).to.equal('command_syntax -c:v')
    expect(refusalOf('-i{{in_1}} {{out_1}}')).to.equal('command_alias -i{{in_1}}')
  })
})
