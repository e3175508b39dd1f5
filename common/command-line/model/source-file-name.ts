export type SourceFileName =
  | { kind: 'named'; name: string }
  /** No extension: headers of the answer may know better. The segment can be empty. */
  | { kind: 'unnamed'; lastSegment: string }
  | { kind: 'invalid'; reason: string }

const bytesLimit = 255

/** The file name at the end of a URL's path, without query and fragment, percent-decoded once. */
export function sourceFileName(url: string): SourceFileName {
  const encoded = URL.parse(url)?.pathname.split('/').at(-1)
  if (encoded === undefined) return { kind: 'invalid', reason: 'it is not a valid URL' }
  let name: string
  try {
    name = decodeURIComponent(encoded)
  } catch {
    return { kind: 'invalid', reason: 'its percent-encoding is broken' }
  }
  const reason = nameProblem(name)
  if (reason !== null) return { kind: 'invalid', reason }
  return /[^.]\.[^.]+$/.test(name)
    ? { kind: 'named', name }
    : { kind: 'unnamed', lastSegment: name }
}

function nameProblem(name: string): string | null {
  if (/[/\\]/.test(name)) return 'it contains a slash or backslash'
  // eslint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
  if (/[\0-\x1f\x7f-\x9f]/.test(name)) return 'it contains control characters'
  if (name === '.' || name === '..') return 'it names a folder'
  if (new TextEncoder().encode(name).length > bytesLimit)
    return `it is longer than ${bytesLimit} bytes`
  return null
}
