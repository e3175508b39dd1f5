/** Files that name other files: an HLS playlist, a DASH manifest, a list for `-f concat`. */
export type ListKind = 'hls' | 'dash' | 'concat'

/** The kind that a file may be by its first bytes, and by its name where a long comment comes first. */
export function listKind(start: Buffer, fileName: string): ListKind | null {
  const text = start.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, '')
  if (text.startsWith('#EXTM3U')) return 'hls'
  if (text.startsWith('ffconcat version 1.0')) return 'concat'
  if (/^\s*</.test(text) && (/<(?:\w+:)?MPD[\s>]/.test(text) || /\.mpd$/i.test(fileName))) {
    return 'dash'
  }
  return null
}

/** FFmpeg reads some of them by their extension alone. */
export const localNames: Readonly<Record<ListKind, string>> = {
  hls: 'playlist.m3u8',
  dash: 'manifest.mpd',
  concat: 'list.ffconcat',
}
