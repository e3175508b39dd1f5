import { sourceFileName } from '../../../common/command-line/model/source-file-name.ts'
import { dispositionName } from './content-disposition.ts'

export type FileName = { ok: true; name: string } | { ok: false; reason: string }

/** What the last answer says about the file besides its bytes. */
export interface AnswerNames {
  /** After redirects. */
  readonly url: string
  readonly contentDisposition: string | undefined
  readonly contentType: string | undefined
}

/**
 * The name of an input for display, and the source of its extension on disk: the URL's last
 * segment when it has an extension, then the Content-Disposition header, then the last segment
 * after redirects, then that segment with an extension by Content-Type, then without one.
 * @param url as the client sent it
 */
export function chooseFileName(url: string, answer: AnswerNames): FileName {
  const sent = sourceFileName(url)
  if (sent.kind === 'named') return { ok: true, name: sent.name }
  if (sent.kind === 'invalid') return { ok: false, reason: sent.reason }
  const disposition = dispositionName(answer.contentDisposition)
  if (disposition !== null && isPlainName(disposition)) return { ok: true, name: disposition }
  const reached = sourceFileName(answer.url)
  if (reached.kind === 'named') return { ok: true, name: reached.name }
  const stem = sent.lastSegment || (reached.kind === 'unnamed' ? reached.lastSegment : '')
  return stem === ''
    ? { ok: false, reason: noFileName }
    : { ok: true, name: stem + extensionOf(answer.contentType) }
}

export const noFileName = 'the URL has no valid file name at its end'

/** A server's header is untrusted: a name that is a path is refused. */
function isPlainName(name: string): boolean {
  return (
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    Buffer.byteLength(name) <= 255 &&
    !/[/\\\p{Cc}]/u.test(name)
  )
}

function extensionOf(contentType: string | undefined): string {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  const extension = extensions.get(type)
  return extension === undefined ? '' : `.${extension}`
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'mp4'],
  ['video/x-m4v', 'm4v'],
  ['video/quicktime', 'mov'],
  ['video/x-matroska', 'mkv'],
  ['video/webm', 'webm'],
  ['video/mp2t', 'ts'],
  ['video/x-msvideo', 'avi'],
  ['video/x-flv', 'flv'],
  ['video/ogg', 'ogv'],
  ['video/mpeg', 'mpg'],
  ['video/3gpp', '3gp'],
  ['image/gif', 'gif'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/tiff', 'tiff'],
  ['image/bmp', 'bmp'],
  ['image/jxl', 'jxl'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/x-m4a', 'm4a'],
  ['audio/aac', 'aac'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'opus'],
  ['application/ogg', 'ogg'],
  ['application/x-subrip', 'srt'],
  ['text/vtt', 'vtt'],
  ['application/vnd.apple.mpegurl', 'm3u8'],
  ['application/x-mpegurl', 'm3u8'],
  ['application/dash+xml', 'mpd'],
  ['application/zip', 'zip'],
  ['font/ttf', 'ttf'],
  ['font/otf', 'otf'],
])
