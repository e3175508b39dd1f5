export interface StoredType {
  readonly contentType: string
  /**
   * Sent with `Content-Disposition: attachment`: a browser would run an HTML, SVG or script file
   * under the origin of the storage.
   */
  readonly attachment: boolean
}

/** The extension alone decides, in any case: the type of an upload is fixed before anything is probed. */
export function storedType(fileName: string): StoredType {
  const mediaType = mediaTypeOf(fileName)
  if (mediaType === null) return { contentType: unknownType, attachment: true }
  // Browsers read a text without it in the code page of the user's language: UTF-8 becomes `Ã¼`.
  const charset = mediaType.startsWith('text/') ? '; charset=utf-8' : ''
  return { contentType: mediaType + charset, attachment: false }
}

/** Type as in the record of a file: without parameters. @returns null for an unknown extension */
export function mediaTypeOf(fileName: string): string | null {
  return mediaTypes.get(extensionOf(fileName)) ?? null
}

export const unknownType = 'application/octet-stream'

/** Lower-case, without the dot; empty if there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot === -1 ? '' : fileName.slice(dot + 1).toLowerCase()
}

/**
 * Media types by extension, for the record of a file and for its object in the storage: as IANA has
 * registered them, or as browsers and players know them where that is another word (`audio/wav`).
 * A browser opens all of these as media or as plain text. What it would run under the origin of the
 * storage is left out: HTML, SVG and everything else that is XML, scripts, Flash, PDF.
 */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  // Video
  ...named('video/mp4', 'mp4 f4v cmfv'),
  ...named('video/x-m4v', 'm4v'),
  ...named('video/quicktime', 'mov qt'),
  ...named('video/x-matroska', 'mkv mk3d'),
  ...named('video/webm', 'webm'),
  ...named('video/mp2t', 'ts mts m2ts m2t'),
  ...named('video/mpeg', 'mpg mpeg mpe mpv m1v m2v vob'),
  ...named('video/x-msvideo', 'avi divx'),
  ...named('video/x-flv', 'flv'),
  ...named('video/ogg', 'ogv ogm'),
  ...named('video/3gpp', '3gp'),
  ...named('video/3gpp2', '3g2'),
  ...named('video/iso.segment', 'm4s'),
  ...named('video/x-ms-wmv', 'wmv'),
  ...named('video/x-ms-asf', 'asf'),
  ...named('video/x-dv', 'dv'),
  ...named('video/x-ivf', 'ivf'),
  ...named('video/x-nut', 'nut'),
  ...named('video/x-motion-jpeg', 'mjpeg mjpg'),
  ...named('video/x-yuv4mpeg', 'y4m'),
  ...named('video/h264', 'h264 264'),
  ...named('video/h265', 'h265 265 hevc'),
  ...named('application/mxf', 'mxf'),
  ...named('application/vnd.rn-realmedia', 'rm'),
  // Sound
  ...named('audio/mpeg', 'mp3 mp2 mp1 mpa m2a'),
  ...named('audio/mp4', 'm4a m4b m4p m4r f4a cmfa'),
  ...named('audio/aac', 'aac adts'),
  ...named('audio/wav', 'wav'),
  ...named('audio/x-w64', 'w64'),
  ...named('audio/flac', 'flac'),
  ...named('audio/ogg', 'ogg oga opus spx'),
  ...named('audio/webm', 'weba'),
  ...named('audio/x-matroska', 'mka'),
  ...named('audio/ac3', 'ac3'),
  ...named('audio/eac3', 'eac3 ec3'),
  ...named('audio/ac4', 'ac4'),
  ...named('audio/vnd.dts', 'dts'),
  ...named('audio/vnd.dts.hd', 'dtshd'),
  ...named('audio/vnd.dolby.mlp', 'mlp thd truehd'),
  ...named('audio/aiff', 'aiff aif aifc'),
  ...named('audio/amr', 'amr'),
  ...named('audio/amr-wb', 'awb'),
  ...named('audio/basic', 'au snd'),
  ...named('audio/x-caf', 'caf'),
  ...named('audio/x-ms-wma', 'wma'),
  ...named('audio/x-ape', 'ape'),
  ...named('audio/x-wavpack', 'wv'),
  ...named('audio/x-tta', 'tta'),
  ...named('audio/x-voc', 'voc'),
  // Pictures
  ...named('image/gif', 'gif'),
  ...named('image/png', 'png'),
  ...named('image/apng', 'apng'),
  ...named('image/jpeg', 'jpg jpeg jpe jfif'),
  ...named('image/webp', 'webp'),
  ...named('image/avif', 'avif avifs'),
  ...named('image/heic', 'heic'),
  ...named('image/heic-sequence', 'heics'),
  ...named('image/heif', 'heif hif'),
  ...named('image/tiff', 'tiff tif'),
  ...named('image/bmp', 'bmp dib'),
  ...named('image/jxl', 'jxl'),
  ...named('image/jp2', 'jp2 jpg2'),
  ...named('image/jpx', 'jpx jpf'),
  ...named('image/j2c', 'j2c j2k jpc'),
  ...named('image/jls', 'jls'),
  ...named('image/vnd.microsoft.icon', 'ico cur'),
  ...named('image/vnd.adobe.photoshop', 'psd'),
  ...named('image/vnd.radiance', 'hdr'),
  ...named('image/x-exr', 'exr'),
  ...named('image/x-portable-anymap', 'pnm'),
  ...named('image/x-portable-arbitrarymap', 'pam'),
  ...named('image/x-portable-bitmap', 'pbm'),
  ...named('image/x-portable-graymap', 'pgm'),
  ...named('image/x-portable-pixmap', 'ppm'),
  ...named('image/x-tga', 'tga'),
  ...named('image/x-dpx', 'dpx'),
  ...named('image/x-pcx', 'pcx'),
  ...named('image/x-qoi', 'qoi'),
  ...named('image/x-xbitmap', 'xbm'),
  ...named('image/x-adobe-dng', 'dng'),
  ...named('image/x-canon-cr2', 'cr2'),
  ...named('image/x-canon-cr3', 'cr3'),
  // Texts, lists and archives
  ...named('application/x-subrip', 'srt'),
  ...named('text/vtt', 'vtt'),
  ...named('text/x-ssa', 'ass ssa'),
  ...named('text/plain', 'txt log ffmeta ffmetadata lrc'),
  ...named('text/csv', 'csv'),
  ...named('application/json', 'json'),
  ...named('application/vnd.apple.mpegurl', 'm3u8'),
  ...named('application/dash+xml', 'mpd'),
  ...named('application/zip', 'zip'),
])

function named(mediaType: string, extensions: string): [string, string][] {
  return extensions.split(' ').map((extension) => [extension, mediaType])
}
