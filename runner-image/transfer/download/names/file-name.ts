import { hasKnownExtension } from '../../../../common/command-line/model/known-extension.ts'
import {
  plainName,
  sourceFileName,
} from '../../../../common/command-line/model/source-file-name.ts'
import { extensionOf } from '../../../../common/domain/stored-type.ts'
import { dispositionName } from './content-disposition.ts'

/** Names that the last answer gives the file. */
export interface AnswerNames {
  /** After redirects. */
  readonly url: string
  readonly contentDisposition: string | undefined
  readonly contentType: string | undefined
}

/**
 * The name of an input for display, and the source of its extension on disk: the Content-Disposition header where it
 * gives an extension, then the URL's last segment and that after redirects where their extension is known, then one
 * with an extension by Content-Type, then what the URL says. A name never decides whether a file is fetched.
 * @param source alias and URL as the client sent them
 * @returns null if nothing gives a name
 */
export function chooseFileName(
  source: { readonly alias: string; readonly url: string },
  answer: AnswerNames,
): string | null {
  const sent = plainName(dispositionName(answer.contentDisposition) ?? '')
  const header = shortName(source.alias, sent)
  if (hasKnownExtension(header) || plausible.test(header)) return header
  const names = [source.url, answer.url].map((url) => shortName(source.alias, sourceFileName(url)))
  const known = names.find(hasKnownExtension)
  if (known !== undefined) return known
  const stem = [header, ...names].find((name) => name !== '')
  if (stem === undefined) return null
  const extension = extensions.get(mediaType(answer.contentType))
  return extension === undefined ? stem : `${withoutScript(stem)}.${extension}`
}

export const noFileName = 'the URL has no valid file name at its end'

/** An extension has a letter: `report 2.0` has none. */
const plausible = /[^.]\.(?=\w*[a-z])\w{1,8}$/i

const bytesLimit = 255

/** The alias in place of a name, such as a signed token, that is longer than a file system takes. */
function shortName(alias: string, name: string): string {
  if (Buffer.byteLength(name) <= bytesLimit) return name
  return hasKnownExtension(name) ? `${alias}.${extensionOf(name)}` : alias
}

/** `download.php` is the name of a script, not of the file that it sends. */
function withoutScript(name: string): string {
  return name.replace(/(?<=.)\.(?:aspx?|ashx|cfm|cgi|do|jspx?|php\d?|pl|py|rb)$/i, '')
}

function mediaType(header: string | undefined): string {
  return header?.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Generic types, such as application/octet-stream and text/plain, give none. */
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
