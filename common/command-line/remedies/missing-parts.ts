/**
 * Filters that Debian's FFmpeg 7.1 is built without although people ask for them, with what serves
 * in their place as the rest of a sentence.
 */
const missingFilters: ReadonlyMap<string, string> = new Map([
  ['libvmaf', 'ssim, psnr or xpsnr measure the quality of a video'],
  ['whisper', 'no other filter recognises speech: write the sound to a file and transcribe that'],
])

/** Why a filter that this FFmpeg lacks is refused, as the rest of a sentence; null for another one. */
export function missingFilterRemedy(name: string): string | null {
  const remedy = missingFilters.get(name)
  return remedy === undefined ? null : `FFmpeg is built without it here; ${remedy}`
}

/** Encoders by other names, of other builds or of hardware, with the one that does the same here. */
const substitutes: ReadonlyMap<string, string> = new Map([
  ...each('aac', 'libfdk_aac libfaac libvo_aacenc libaacplus libaac aac_at aac_mf'),
  ...each('libmp3lame', 'lame libmp3 mp3lame mp3_mf'),
  ...each('libx264', 'x264 avc avc1 libopenh264'),
  ...each('libx265', 'x265 h265 hvc1 hev1 libkvazaar'),
  ...each('libsvtav1', 'svtav1 svt_av1 libsvt_av1 libaom'),
  ...each('libvpx', 'libvpx-vp8'),
  ...each('libvpx-vp9', 'vpx-vp9 libvp9'),
  ...each('libvorbis', 'ogg'),
  ...each('libopus', 'libcelt'),
  ...each('libxvid', 'xvid'),
  ...each('alac', 'alac_at'),
  ...each('ac3', 'ac3_mf'),
  ...each('libwebp', 'webp_anim'),
  ...each('libjxl', 'jxl'),
  ...each('mov_text', 'tx3g'),
  ...each('libtwolame', 'twolame'),
  ...each('pcm_alaw', 'pcm_alaw_at'),
  ...each('pcm_mulaw', 'pcm_mulaw_at'),
])

/** A codec as names of encoders of hardware begin: `h264_nvenc`, `hevc_qsv`. */
const software: ReadonlyMap<string, string> = new Map([
  ['h264', 'libx264'],
  ['hevc', 'libx265'],
  ['av1', 'libsvtav1'],
  ['vp8', 'libvpx'],
  ['vp9', 'libvpx-vp9'],
  ['mjpeg', 'mjpeg'],
  ['mpeg2', 'mpeg2video'],
  ['mpeg4', 'mpeg4'],
  ['h263', 'h263'],
  ['prores', 'prores_ks'],
  ['aac', 'aac'],
])

/** The encoder to write in place of one that this FFmpeg lacks or that needs hardware; null if none is known. */
export function substituteEncoder(name: string): string | null {
  const small = name.trim().toLowerCase()
  const direct = substitutes.get(small)
  if (direct !== undefined) return direct
  const [codec = '', ...rest] = small.split('_')
  return rest.length === 0 ? null : (software.get(codec) ?? null)
}

function each(substitute: string, names: string): [string, string][] {
  return names.split(' ').map((name) => [name, substitute])
}
