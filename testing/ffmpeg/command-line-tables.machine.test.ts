import { expect } from 'chai'
import { filtersWithFiles } from '../../common/command-line/policy/filter-files.ts'
import { parseFilterGraph } from '../../common/command-line/grammar/filter-graph.ts'
import filterNames from '../../common/command-line/grammar/filters.json' with { type: 'json' }
import extensions from '../../common/command-line/grammar/output-extensions.json' with { type: 'json' }
import mediaNames from '../../common/command-line/grammar/media-names.json' with { type: 'json' }
import { readOption } from '../../common/command-line/grammar/option-table.ts'
import { planCommands } from '../../common/command-line/plan/plan-commands.ts'
import { clusterSettings } from '../../local-cluster/host/settings.ts'
import { CommandFailed, runCommand } from '../../local-cluster/host/run-command.ts'
import { runnerRoot } from '../../images/build-runner.ts'
import { patienceMs } from '../support/until.ts'

/** The tables of the command-line module are copies of what FFmpeg knows; a new FFmpeg shows here. */
describe('the command-line tables and the FFmpeg of the runner image', () => {
  let root = ''
  before(async function () {
    // builds the image where nothing is cached
    this.timeout(600_000)
    const say = (text: string): void => console.log(`      ${text}`)
    root = await runnerRoot({ settings: clusterSettings(process.env), say })
  })

  it('the tables and FFmpeg agree on the names of filters, encoders, codecs with an encoder, and muxers', async () => {
    expect(await named('-filters', /^ [T.][S.][C.] (\S+)/gm)).to.deep.equal(filterNames)
    expect({
      encoders: await named('-encoders', /^ [VAS][.F][.S][.X][.B][.D] (\w\S*)/gm),
      codecs: await named('-codecs', /^ [D.]E[VASDT][I.][L.][S.] (\S+)/gm),
      muxers: await named('-muxers', /^ [D ]E[d ] (\S+)/gm),
    }).to.deep.equal(mediaNames)
  })

  it('the tables and FFmpeg agree on the extensions for which FFmpeg chooses a format', async () => {
    const found: string[] = []
    for (const muxer of mediaNames.muxers) {
      const help = await ffmpeg('-h', `muxer=${muxer}`)
      found.push(...(/Common extensions: (.+)\.$/m.exec(help)?.[1]?.split(',') ?? []))
    }
    // One is listed with a blank and in capitals too. Of the two muxers by the name of matroska the help
    // shows one; the other is that for sound alone.
    const names = [...found.map((name) => name.trim().toLowerCase()), 'mka']
    expect([...new Set(names)].toSorted()).to.deep.equal(extensions)
  })

  for (const name of ['movie', 'movie.', 'movie.xyz', 'mp4', 'a.mp4.part', 'a.mp4v', 'a.heic']) {
    it(`the tables and FFmpeg agree that ${name} names no format`, async () => {
      const words = await ffmpeg('-f', 'lavfi', '-i', 'color=s=16x16:d=0.04', name)
      expect(words).to.contain(`Unable to choose an output format for '${name}'`)
      expect(refusal('-f lavfi -i color=s=16x16:d=0.04 {{out_1}}', name)).not.to.equal('')
    })
  }

  it('the tables and FFmpeg agree on which options take a value', async () => {
    const listing = await ffmpeg('-h', 'long')
    const listed = Array.from(listing.matchAll(/^-([A-Za-z_]+)/gm), ([, name = '']) => name)
    const names = [...new Set(listed)].filter((name) => readOption(`-${name}`).refusal === null)
    expect(names.length).to.be.greaterThan(100)
    for (const name of names) {
      const takesValue = (await ffmpeg(`-${name}`)).includes('Missing argument')
      expect(readOption(`-${name}`).takesValue, name).to.equal(takesValue)
    }
  })

  it('the tables and FFmpeg agree on the options of filters that name files, and on their order', async () => {
    const sections = optionsByOwner(await ffmpeg('-h', 'full'))
    for (const [filter, { positions, files }] of filtersWithFiles()) {
      if (!filterNames.includes(filter)) continue
      const options = sections.get(filter)?.map(({ name }) => name) ?? []
      const ours = positions.flat().filter((name) => name !== '')
      expect(options.slice(0, ours.length), filter).to.deep.equal(ours)
      for (const file of files.keys()) expect(options, filter).to.include(file)
    }
  })

  it('the tables and FFmpeg agree on devices, of which only lavfi is allowed', async () => {
    const listing = await ffmpeg('-devices')
    const rows = Array.from(listing.matchAll(/^ ([D ])([E ]) (\S+)/gm))
    expect(rows.length).to.be.greaterThan(10)
    for (const [, input, output, names = ''] of rows) {
      for (const name of names.split(',').filter((each) => each !== 'lavfi')) {
        const uses = [
          ...(input === 'D' ? [`-f ${name} -i {{in_1}} {{out_1}}`] : []),
          ...(output === 'E' ? [`-i {{in_1}} -f ${name} {{out_1}}`] : []),
        ]
        expect(
          uses.map((use) => refusal(use)).every((words) => words.includes('is a device')),
          name,
        ).to.equal(true)
      }
    }
  })

  it('the tables and FFmpeg agree on codecs: those that need hardware are refused, all others are accepted', async () => {
    const hardware = /VAAPI|Quick Sync|NVENC|CUVID|V4L2|Vulkan/
    for (const list of ['-encoders', '-decoders']) {
      const rows = Array.from((await ffmpeg(list)).matchAll(/^ [VASD][.\w]{5} (\S+)(.*)$/gm))
      expect(rows.length).to.be.greaterThan(100)
      for (const [, name = '', words = ''] of rows.filter(([row]) => !row.includes(' = '))) {
        const isRefused = refusal(`-c:v ${name} -i {{in_1}} -c:v ${name} {{out_1}}`) !== ''
        expect(isRefused, name).to.equal(hardware.test(words))
      }
    }
  })

  it('the tables and FFmpeg agree on the options that take text: only listed plain text names no file', async () => {
    const help = await ffmpeg('-h', 'full')
    const options = Array.from(
      help.matchAll(/^ +-(\S+) +<(?:string|dictionary|binary)>/gm),
      ([, name = '']) => name,
    )
    const main = Array.from(
      help.matchAll(/^-(\w+)\S* <[^>]*(?:file|url|prefix|preset|graph|device)[^>]*>/gm),
      ([, name = '']) => name,
    ).filter((name) => !name.startsWith('map'))
    const plain = [...new Set([...options, ...main])].filter((name) => !isRuled(name))
    expect(plain.toSorted()).to.deep.equal(plainText.trim().split(/\s+/).toSorted())
  })

  it('the tables and FFmpeg agree on the options of filters whose help mentions files', async () => {
    const about = /file|path|direct|uri|url|librar|model|script|plugin/i
    const found = [...optionsByOwner(await ffmpeg('-h', 'full'))].flatMap(([filter, options]) =>
      options
        .filter(({ name, takesText, words }) => takesText && about.test(name + words))
        .map(({ name }) => `${filter}=${name}`),
    )
    expect(found.length).to.be.greaterThan(50)
    const open = found.filter((use) => {
      const values = ['/etc/passwd', 'protocol_whitelist=/etc/passwd']
      return values.every((value) => refusal(`-i {{in_1}} -lavfi ${use}=${value} {{out_1}}`) === '')
    })
    // a list of numbers, as a file of another program holds them
    expect(open).to.deep.equal(['ssim360=heatmap_str'])
  })

  for (const graph of [
    'nosuch',
    'no\\such',
    "'nosuch'",
    "no'su'ch",
    'nosuch@one',
    ' \n nosuch \t',
    'null,nosuch',
    'null;nosuch=a=1',
    '[in]null[a];[a]nosuch[out]',
    "drawbox=x='1,nosuch':y=1,nosuch",
    'drawbox=x=1\\,2,nosuch',
    'sws_flags=bicubic;nosuch',
    "'null,nosuch'",
    'null[a',
    'null[a]null',
    '[]null',
    'scale=w=1:2',
    'sws_flags=bicubic',
    'null,',
    'null;',
    'null=',
  ]) {
    it(`the tables and FFmpeg agree on the reading of ${JSON.stringify(graph)}`, async () => {
      const quiet = '-loglevel error -f lavfi -i color=s=16x16:d=0.04 -f null'.split(' ')
      const words = await ffmpeg(...quiet, '-vf', graph, '-')
      const missing = /No such filter: '([^']*)'/.exec(words)?.[1]
      const theirs = missing ?? (words === '' ? 'fine' : 'not understood')
      const parsed = parseFilterGraph(graph)
      const unknown = parsed.ok && parsed.filters.find(({ name }) => !filterNames.includes(name))
      const ours = parsed.ok ? (unknown ? unknown.name : 'fine') : 'not understood'
      expect(ours).to.equal(theirs)
    })
  }

  /** The output of FFmpeg, or its errors when it refuses: a refusal is an answer here. */
  async function ffmpeg(...args: string[]): Promise<string> {
    const argv = [root, '/usr/bin/ffmpeg', '-hide_banner', '-nostdin', ...args]
    try {
      return await runCommand('chroot', argv, { timeoutMs: patienceMs })
    } catch (error) {
      if (error instanceof CommandFailed) return error.stderr
      throw error
    }
  }

  async function named(list: string, pattern: RegExp): Promise<string[]> {
    const names = Array.from((await ffmpeg(list)).matchAll(pattern), ([, name = '']) => name)
    return [...new Set(names.flatMap((name) => name.split(',')))].toSorted()
  }
})

type HelpOption = { name: string; takesText: boolean; words: string }

/** Options of filters as `-h full` lists them; one section may be that of a filter and its audio twin. */
function optionsByOwner(help: string): Map<string, HelpOption[]> {
  const sections = help.split(/\n(?=\S.* AVOptions:\n)/).flatMap((section) => {
    const title = /^(\S+) AVOptions:/.exec(section)?.[1] ?? ''
    const options = Array.from(
      section.matchAll(/^ {1,4}(\w+) +<(\w+)> +\.\.F(.*)$/gm),
      ([, name = '', type = '', words = '']) => ({
        name,
        takesText: ['string', 'dictionary', 'binary'].includes(type),
        words,
      }),
    )
    const owners = new Set([title.replace('(a)', ''), title.replace('(a)', 'a')])
    return [...owners].map((owner): [string, HelpOption[]] => [owner, options])
  })
  return new Map(sections)
}

/** Text of the answer; empty when the command is taken. */
function refusal(command: string, output = 'a.mkv'): string {
  const result = planCommands({
    commands: [command],
    inputAliases: command.includes('{{in_1}}') ? ['in_1'] : [],
    outputs: { out_1: output },
    // so that only a path can be what is refused
    inputFolder: true,
    chained: false,
  })
  return result.ok ? '' : result.errors.map(({ message }) => message).join('; ')
}

/** Before an input or before an output a path outside the job is refused, alone or in a list of options. */
function isRuled(option: string): boolean {
  return ['/etc/passwd', 'protocol_whitelist=/etc/passwd', 'amovie=/etc/passwd']
    .flatMap((value) => [
      `-${option} ${value} -i {{in_1}} {{out_1}}`,
      `-i {{in_1}} -${option} ${value} {{out_1}}`,
    ])
    .some((command) => refusal(command) !== '')
}

/** Reviewed by hand: names, numbers, keys and expressions, and options of what nothing can open. */
const plainText = `
  aa_fixed_key activation_bytes adaptation_sets algorithm allowed_extensions
  allowed_segment_extensions amount antialias audible_fixed_key audible_iv audible_key block
  boundary_tag brand cc_stream_map cenc_decryption_key charset cname codec_whitelist color
  content_type crop cryptokey deblock decryption_iv decryption_key device display_name driver drop
  dts dump_separator dumpgraph duration dvguid encryption_iv encryption_key encryption_kid
  encryption_scheme exchange fec fifo_format format_whitelist framerate ftp-anonymous-password
  ftp-password ftp-user gop_timecode gpu hash hls_base_url hls_enc_iv hls_enc_key ice_description
  ice_genre ice_name ice_url input_format iv key layer layer_rates level load_plugins local_addr
  local_port localaddr location mpegts_muxer_options name palette partitions pass_types passphrase
  password pixel_format preset profile psy-rd pts qsv_params rc_eq reconnect_on_http_error
  reference_stream remove_types resize resource routing_key rtmp_app rtmp_conn
  rtmp_enhanced_codecs rtmp_flashver rtmp_pageurl rtmp_playpath rtmp_subscribe rtmp_swfhash
  rtmp_swfurl rtmp_swfverify rtmp_tcurl rtp_muxer_options secret segment_format segment_frames
  segment_list_entry_prefix segment_times sei_user_data server smoother srt_streamid
  srtp_in_params srtp_in_suite srtp_out_params srtp_out_suite standard stream_name streamid
  sub_charenc ts ts-parameters tune txt_page utc_timing_url var_stream_map vendor verifyhost
  video_size window_title wpredp`
