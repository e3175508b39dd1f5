import { isUtf8 } from 'node:buffer'

/**
 * The file name at the end of a URL's path, without query and fragment, percent-decoded once. A decoded slash separates
 * folders: Firebase sends the whole path of an object in one segment.
 * @returns empty if the path ends in a slash; may be longer than a file system takes
 */
export function sourceFileName(url: string): string {
  return plainName(percentDecoded(URL.parse(url)?.pathname.split('/').at(-1) ?? ''))
}

/** The last name of a path, without control characters; empty if nothing is left. */
export function plainName(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? ''
  const name = last.replaceAll(/\p{Cc}/gu, '').trim()
  return /^\.*$/.test(name) ? '' : name
}

/** Decodes percent-encoded bytes as UTF-8 where they are, else as Latin-1; a `%` without two digits stays. */
export function percentDecoded(text: string): string {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return utf8OrLatin1(bytes)
}

/** @param text one character per byte, as header fields arrive */
export function utf8OrLatin1(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}
