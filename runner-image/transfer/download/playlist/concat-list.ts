import { placeholderAt } from '../../../../common/command-line/model/placeholders.ts'
import { Failure } from '../../../../common/domain/failures.ts'
import { segmentsLimit } from './listed-files.ts'

/** A line of a list for FFmpeg's `-f concat`. */
export type ConcatLine =
  | { readonly kind: 'url'; readonly url: URL; readonly number: number }
  | { readonly kind: 'input'; readonly alias: string; readonly number: number }
  /** Anything but a file's name, as it is. */
  | { readonly kind: 'other'; readonly text: string }

export interface ListPlace {
  /** URL of the list after redirects. */
  readonly url: string
  /** A file of our own storage: nothing lies beside it. */
  readonly isStored: boolean
}

/**
 * Reads a list as FFmpeg does (libavformat/concatdec.c): one directive a line, the name of a file with
 * apostrophes and backslashes.
 * @throws Failure naming the line
 */
export function readConcatList(text: string, place: ListPlace): ConcatLine[] {
  const lines: ConcatLine[] = []
  let files = 0
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const read = readLine(line, index + 1, place)
    lines.push(read)
    if (read.kind !== 'other') files += 1
    // The list is refused: a text of 10 MB has room for a million.
    if (files > segmentsLimit) break
  }
  if (files > 0) return lines
  throw new Failure('INVALID_INPUT_FILE', `the list names no files; ${example}`)
}

/** @param name of letters, digits, `_`, `-` and dots */
export function fileLine(name: string): string {
  return `file '${name}'`
}

function readLine(text: string, number: number, place: ListPlace): ConcatLine {
  const [, keyword = '', rest = ''] = /^[ \t]*([^ \t]*)[ \t]*(.*)$/s.exec(text) ?? []
  const namesNoFile = keyword === '' || keyword.startsWith('#') || others.has(keyword)
  if (namesNoFile) return { kind: 'other', text }
  if (keyword !== 'file') {
    const shown = keyword.slice(0, 60)
    throw atLine(number, `begins with '${shown}', which FFmpeg does not know there; ${example}`)
  }
  return readName(rest.trim(), number, place)
}

const example = "write one line for each, as file 'https://example.com/clip.mp4'"

/** Directives that name no file; FFmpeg checks their values. */
const others: ReadonlySet<string> = new Set([
  'ffconcat',
  'duration',
  'inpoint',
  'outpoint',
  'file_packet_metadata',
  'file_packet_meta',
  'option',
  'stream',
  'exact_stream_id',
  'stream_meta',
  'stream_codec',
  'stream_extradata',
  'chapter',
])

function readName(written: string, number: number, place: ListPlace): ConcatLine {
  // With blanks inside, which end a name without apostrophes.
  const bare = /^'([^']*)'$/.exec(written)?.[1]?.trim() ?? written
  const placeholder = placeholderAt(bare, 0)
  if (placeholder !== null && placeholder.end === bare.length) {
    return { kind: 'input', alias: placeholder.alias, number }
  }
  const name = unquoted(written, number)
  const problem = nameProblem(name, place)
  if (problem !== null) throw atLine(number, `names '${name.slice(0, 100)}', which ${problem}`)
  const url = URL.parse(name, place.url)
  if (url !== null) return { kind: 'url', url, number }
  throw atLine(number, `names '${name.slice(0, 100)}', which is not a URL`)
}

/** FFmpeg's `av_get_token`: up to a blank outside of apostrophes. */
function unquoted(written: string, number: number): string {
  let name = ''
  let at = 0
  for (; at < written.length && !/\s/.test(written[at] ?? ''); at++) {
    const character = written[at] ?? ''
    if (character === '\\') name += written[++at] ?? ''
    else if (character === "'") {
      const end = written.indexOf("'", at + 1)
      if (end < 0) throw atLine(number, 'has an apostrophe without its partner')
      name += written.slice(at + 1, end)
      at = end
    } else name += character
  }
  if (/^["“”‘’]/.test(name)) {
    throw atLine(number, `has the quotes of ${written.slice(0, 60)}; FFmpeg knows apostrophes only`)
  }
  const rest = written.slice(at).trim()
  if (rest !== '' && !rest.startsWith('#')) {
    throw atLine(
      number,
      `has '${rest.slice(0, 60)}' behind the name; put a name with blanks into apostrophes`,
    )
  }
  if (name === '') throw atLine(number, 'names no file')
  return name
}

/** Why a name cannot be fetched, as the rest of a sentence. */
function nameProblem(name: string, { isStored }: ListPlace): string | null {
  const [, scheme] = /^([a-z0-9+.,-]*):/i.exec(name) ?? []
  if (scheme !== undefined && /^https?$/i.test(scheme)) return null
  if (name.includes('{{')) return 'is more than a placeholder; write {{in_2}} alone'
  if (/^(?:[/\\~]|[a-z]:[/\\]|file:)/i.test(name)) return `is a path of a disk; ${remedy}`
  if (scheme !== undefined) return `is neither http nor https; ${remedy}`
  if (/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name)) return `leaves the folder of the list; ${remedy}`
  return isStored ? `is a name without a server; ${remedy}` : null
}

const remedy = "write the file's URL, or {{in_2}} for an input of the command"

/** @param reason continues a sentence about the line */
export function atLine(number: number, reason: string): Failure {
  return new Failure('INVALID_INPUT_FILE', `line ${String(number)} of the list ${reason}`)
}
