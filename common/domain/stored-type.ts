export interface StoredType {
  readonly contentType: string
  /**
   * Sent with `Content-Disposition: attachment`: a browser would run an HTML, SVG or script file
   * under the origin of the storage.
   */
  readonly attachment: boolean
}

/** By the extension alone, in any case: the type of an upload is fixed before anything is probed. */
export function storedType(fileName: string): StoredType {
  const contentType = byExtension.get(extensionOf(fileName))
  return contentType === undefined
    ? { contentType: 'application/octet-stream', attachment: true }
    : { contentType, attachment: false }
}

/** Lower-case, without the dot; empty if there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot === -1 ? '' : fileName.slice(dot + 1).toLowerCase()
}

const byExtension = new Map(
  Object.entries({
    mp4: 'video/mp4',
    m4v: 'video/x-m4v',
    mov: 'video/quicktime',
    mkv: 'video/x-matroska',
    webm: 'video/webm',
    ts: 'video/mp2t',
    avi: 'video/x-msvideo',
    flv: 'video/x-flv',
    ogv: 'video/ogg',
    mpg: 'video/mpeg',
    '3gp': 'video/3gpp',
    m4s: 'video/iso.segment',
    gif: 'image/gif',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    webp: 'image/webp',
    avif: 'image/avif',
    tiff: 'image/tiff',
    bmp: 'image/bmp',
    apng: 'image/apng',
    jxl: 'image/jxl',
    mp3: 'audio/mpeg',
    m4a: 'audio/mp4',
    aac: 'audio/aac',
    wav: 'audio/wav',
    flac: 'audio/flac',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    srt: 'application/x-subrip',
    vtt: 'text/vtt',
    ass: 'text/x-ssa',
    m3u8: 'application/vnd.apple.mpegurl',
    mpd: 'application/dash+xml',
    zip: 'application/zip',
    json: 'application/json',
    txt: 'text/plain',
    log: 'text/plain',
    csv: 'text/plain',
  }),
)
