/**
 * Options of FFmpeg 7.1 that take no value. Every other one, known or not, takes exactly one:
 * that is how FFmpeg walks its arguments, and every option of codecs and formats behaves so.
 */
const flags = words(`
  y n an vn sn dn shortest copyts start_at_zero re hide_banner stats stdin ignore_unknown copy_unknown
  accurate_seek autorotate autoscale bitexact benchmark benchmark_all debug_ts dump hex vstats xerror
  fix_sub_duration fix_sub_duration_heartbeat force_fps find_stream_info recast_media display_hflip
  display_vflip copyinkf auto_conversion_filters qphist report`)

/** Accepted for the sake of commands written for a terminal; the service sets these itself. */
const dropped = words(`
  y n nostdin stdin hide_banner stats stats_period loglevel v cpucount`)

const information = words(`
  L h help ? version buildconf formats muxers demuxers devices codecs decoders encoders bsfs protocols
  filters pix_fmts layouts sample_fmts dispositions colors sources sinks hwaccels`)

/** These name files outside the rules, or make media name them. */
const fileOptions = words(`
  report progress vstats vstats_file sdp_file dump_attachment pre fpre apre vpre spre filter_script
  filter_complex_script graph_file dump hex enable_drefs use_absolute_path hls_key_info_file`)

const insteadOfFiles: ReadonlyMap<string, string> = new Map([
  ['filter_complex_script', 'write the graph itself behind -filter_complex'],
  ['filter_script', 'write the graph itself behind -vf or -af'],
  ['hls_key_info_file', 'use -hls_enc 1 with -hls_enc_key and -hls_enc_iv'],
  ['progress', 'remove it: the progress is in the status of the command'],
  ['report', 'remove it: the log of each command is kept, see its logs'],
  ...['vstats', 'vstats_file'].map(
    (name) =>
      [
        name,
        'remove it: the log is kept; -stats_enc_post with a bare name writes a line per frame, stored with output_files "OUTPUT_FOLDER"',
      ] as const,
  ),
  ['vpre', 'write -preset and its name'],
])

const networkOptions = words(`
  protocol_whitelist protocol_blacklist listen method http_proxy headers cookies user_agent gateway
  http_user_agent referer post_data ca_file cafile cert_file key_file private_key`)

const deviceOptions = words(`init_hw_device filter_hw_device vaapi_device qsv_device`)

/** Gone in 7.1, still found in tutorials. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['absf', '-bsf:a'],
  ['vbsf', '-bsf:v'],
  ['intra', '-g 1'],
  ['deinterlace', '-vf yadif'],
  ['psnr', '-flags +psnr'],
  ['map_channel', "the filter 'pan' or 'channelsplit'"],
  ['vol', '-af volume='],
  ['sameq', '-q:v with a number, as -q:v 3'],
  ['same_quant', '-q:v with a number, as -q:v 3'],
  ['newvideo', '-map'],
  ['newaudio', '-map'],
  ['newsubtitle', '-map'],
  ['map_meta_data', '-map_metadata'],
  ['loop_input', '-loop 1 before -i'],
  ['loop_output', '-loop'],
  ['hq', '-mbd rd'],
  ['alang', '-metadata:s:a:0 language='],
  ['vlang', '-metadata:s:v:0 language='],
  ['slang', '-metadata:s:s:0 language='],
  ['vhook', '-vf'],
  ...['top', 'bottom', 'left', 'right'].map((side) => [`crop${side}`, '-vf crop='] as const),
  ...['top', 'bottom', 'left', 'right', 'color'].map((side) => [`pad${side}`, '-vf pad='] as const),
])

/** `graph` stands for the name of the input behind `-f lavfi`. */
export const filterOptions = words(`vf af filter filter_complex lavfi graph`)
export const codecOptions = words(`c codec vcodec acodec scodec dcodec`)
/** Strings that encoders parse themselves, able to name log and dump files. */
export const encoderStringOptions = words(`
  x264-params x264opts x265-params svtav1-params aom-params rav1e-params vvenc-params kvazaar-params
  xeve-params xavs2-params`)
/** Files that FFmpeg writes beside the output. */
export const outputCompanionOptions = words(`
  hls_segment_filename hls_fmp4_init_filename init_seg_name media_seg_name master_pl_name
  hls_master_name single_file_name hls_enc_key_url`)
/** Files that FFmpeg writes relative to the working directory. */
export const workingFileOptions = words(`
  passlogfile segment_list segment_header_filename header hls_subtitle_path stats_enc_pre
  stats_enc_post stats_mux_pre`)
/** Files that FFmpeg reads besides its inputs. */
export const sourceOptions = words(`attach sub_name ifo_palette assetmaps aribb24-base-path`)

export type OptionEntry = {
  /** Name without dash and stream specifier: `-c:v:0` is `c`. */
  name: string
  takesValue: boolean
  /** Why the option is refused, as the rest of a sentence; null when it is not. */
  refusal: string | null
  /** Replacement of an option that FFmpeg 7 no longer has. */
  modern: string | null
}

export function readOption(flag: string): OptionEntry {
  const name = flag.slice(1).split(':', 1)[0] ?? ''
  const plain = flags.has(negated(name)) ? negated(name) : name
  return {
    name,
    takesValue: !flags.has(plain) && !information.has(plain),
    refusal: flag.startsWith('-/')
      ? 'reads its value from a file, which is not allowed; write it out'
      : refusalOf(plain),
    modern: replaced.get(name) ?? null,
  }
}

export function isDropped(name: string): boolean {
  return dropped.has(name) || (dropped.has(negated(name)) && flags.has(negated(name)))
}

function refusalOf(plain: string): string | null {
  if (information.has(plain)) return 'only prints information and produces no output; remove it'
  if (fileOptions.has(plain) || plain.startsWith('print_graphs')) {
    const remedy = insteadOfFiles.get(plain) ?? 'remove it'
    return `reads or writes files outside the command and is not allowed; ${remedy}`
  }
  if (networkOptions.has(plain)) {
    return plain === 'protocol_whitelist'
      ? 'is not needed: URLs belong in input_files, and what a playlist or a list there names is fetched before FFmpeg starts; remove it'
      : 'is for network access, which FFmpeg does not have here; remove it, URLs belong in input_files'
  }
  if (deviceOptions.has(plain) || plain.startsWith('hwaccel')) {
    return 'is for hardware devices, of which there are none; remove it'
  }
  return null
}

/** `nostdin` is `stdin` switched off; other names stay what they are. */
function negated(name: string): string {
  return name.startsWith('no') ? name.slice(2) : name
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
