import type { FileRole } from '../model/findings.ts'

type FilterFiles = {
  /**
   * Options in the order of positional arguments, up to the last that names a file or is checked
   * for another reason; aliases share a place.
   */
  positions: readonly (readonly string[])[]
  files: ReadonlyMap<string, FileRole>
}

const statistics = { order: 'stats_file/f', files: { stats_file: 'result' } } as const
const commands = { order: 'commands/c filename/f', files: { filename: 'working' } } as const
const metadata = {
  order: 'mode key value function expr file',
  files: { file: 'result' },
} as const
const movie = {
  order:
    'filename format_name/f stream_index/si seek_point/sp streams/s loop discontinuity dec_threads format_opts',
  files: { filename: 'source' },
} as const

/** Filters of FFmpeg 7.1 that open files, with their options as `-h filter=NAME` lists them. */
const table: ReadonlyMap<string, FilterFiles> = new Map(
  Object.entries({
    amovie: movie,
    movie,
    subtitles: {
      order: 'filename/f original_size fontsdir',
      files: { filename: 'source', fontsdir: 'font' },
    },
    ass: {
      order: 'filename/f original_size fontsdir',
      files: { filename: 'source', fontsdir: 'font' },
    },
    drawtext: {
      order: 'fontfile text textfile',
      files: { fontfile: 'font', textfile: 'source' },
    },
    lut1d: { order: 'file', files: { file: 'source' } },
    lut3d: { order: 'file', files: { file: 'source' } },
    curves: {
      order: 'preset master/m red/r green/g blue/b all psfile plot',
      files: { psfile: 'source', plot: 'result' },
    },
    selectivecolor: {
      order:
        'correction_method reds yellows greens cyans blues magentas whites neutrals blacks psfile',
      files: { psfile: 'source' },
    },
    sendcmd: commands,
    asendcmd: commands,
    metadata,
    ametadata: metadata,
    vidstabdetect: { order: 'result', files: { result: 'result' } },
    vidstabtransform: { order: 'input', files: { input: 'working' } },
    psnr: statistics,
    ssim: statistics,
    ssim360: statistics,
    xpsnr: statistics,
    vmafmotion: { order: 'stats_file', files: { stats_file: 'result' } },
    deshake: {
      order: 'x y w h rx ry edge blocksize contrast search filename',
      files: { filename: 'result' },
    },
    signature: { order: 'detectmode nb_inputs filename', files: { filename: 'result' } },
    firequalizer: {
      order: 'gain gain_entry delay accuracy wfunc fixed multi zero_phase scale dumpfile',
      files: { dumpfile: 'result' },
    },
    paletteuse: {
      order: 'dither bayer_scale diff_mode new alpha_threshold debug_kdtree',
      files: { debug_kdtree: 'result' },
    },
    arnndn: { order: 'model/m', files: { model: 'source' } },
    sofalizer: { order: 'sofa', files: { sofa: 'source' } },
    removelogo: { order: 'filename/f', files: { filename: 'source' } },
    cellauto: { order: 'filename/f', files: { filename: 'source' } },
    life: { order: 'filename/f', files: { filename: 'source' } },
    flite: { order: 'list_voices nb_samples/n text textfile', files: { textfile: 'source' } },
    find_rect: { order: 'object', files: { object: 'source' } },
    cover_rect: { order: 'cover', files: { cover: 'source' } },
    fieldhint: { order: 'hint', files: { hint: 'source' } },
    fsync: { order: 'file/f', files: { file: 'source' } },
    nnedi: { order: 'weights', files: { weights: 'source' } },
    showcqt: {
      order:
        'size/s fps/rate/r bar_h axis_h sono_h fullhd sono_v/volume bar_v/volume2 sono_g/gamma bar_g/gamma2 bar_t timeclamp/tc attack basefreq endfreq coeffclamp tlength count fcount fontfile font fontcolor axisfile',
      files: { fontfile: 'font', axisfile: 'source' },
    },
    uspp: { order: 'quality qp use_bframe_qp codec', files: {} },
    sr: { order: '', files: { model: 'source' } },
    derain: { order: '', files: { model: 'source' } },
    // not in Debian's build
    ocr: { order: 'datapath', files: { datapath: 'source' } },
    qrencodesrc: { order: '', files: { textfile: 'source' } },
    qrencode: { order: '', files: { textfile: 'source' } },
    lensfun: { order: '', files: { db_path: 'source' } },
  } satisfies Record<string, { order: string; files: Record<string, FileRole> }>).map(
    ([filter, entry]) => [
      filter,
      {
        positions: entry.order.split(' ').map((names) => names.split('/')),
        files: new Map(Object.entries(entry.files)),
      },
    ],
  ),
)

/** Filters that pass files to each other under a name of their own when none is given. */
export const filtersWithDefaultFiles: ReadonlySet<string> = new Set([
  'vidstabdetect',
  'vidstabtransform',
])

/** The full name of an option, given as written or by its place among the positional arguments. */
export function filterOptionName(
  filter: string,
  key: string | null,
  position: number,
): string | null {
  const positions = table.get(filter)?.positions ?? []
  if (key === null) return positions[position]?.[0] ?? null
  return positions.find((names) => names.includes(key))?.[0] ?? key
}

/** Role of the file that the option names, if it names one. */
export function filterFileRole(filter: string, option: string): FileRole | null {
  return table.get(filter)?.files.get(option) ?? null
}

/** The list for the comparison with FFmpeg's own help. */
export function filtersWithFiles(): ReadonlyMap<string, FilterFiles> {
  return table
}
