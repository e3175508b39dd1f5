export interface EntryFacts {
  /** Decoded, with slashes between folders. */
  readonly name: string
  readonly encrypted: boolean
  /** The upper 16 bits hold the Unix mode, if the archive was made on a system that has one. */
  readonly externalFileAttributes: number
}

export type EntryVerdict =
  | { kind: 'file'; path: string }
  | { kind: 'folder'; path: string }
  | { kind: 'skip' }
  | { kind: 'refused'; reason: string }

const deepest = 16
const longestComponent = 255

/** The path at which an entry of a customer's archive may be written, if it may. */
export function entryVerdict({
  name,
  encrypted,
  externalFileAttributes,
}: EntryFacts): EntryVerdict {
  if (isSystemFile(name)) return { kind: 'skip' }
  const shown = JSON.stringify(name.slice(0, 200))
  const components = name.split('/').filter((part) => part !== '' && part !== '.')
  // The root itself, which Dropbox and `zip -r x.zip .` have as an entry.
  if (components.length === 0)
    return name === '' ? refused('an entry has no name') : { kind: 'skip' }
  if (encrypted) return refused(`${shown} is encrypted`)
  const problem = nameProblem(name, components)
  if (problem !== null) return refused(`${shown} ${problem}`)
  const path = components.join('/')
  switch (fileTypeOf(externalFileAttributes)) {
    case 'unknown':
      return { kind: name.endsWith('/') ? 'folder' : 'file', path }
    case 'file':
      return name.endsWith('/')
        ? refused(`${shown} is both file and folder`)
        : { kind: 'file', path }
    case 'folder':
      return { kind: 'folder', path }
    case 'other':
      return refused(`${shown} is a link or a device`)
  }
}

/** Files that macOS and Windows add to an archive of a user's files. */
function isSystemFile(name: string): boolean {
  return /(?:^|\/)(?:__MACOSX(?:\/|$)|\._[^/]*$|\.DS_Store$|Thumbs\.db$)/i.test(name)
}

function nameProblem(name: string, components: readonly string[]): string | null {
  if (/\p{Cc}/u.test(name)) return 'has control characters in its name'
  if (/^\/|^[a-z]:\//i.test(name)) return 'has an absolute name'
  if (components[0]?.startsWith('-') === true) return 'begins with a dash'
  if (components.length > deepest) return `lies deeper than ${String(deepest)} folders`
  if (components.includes('..')) return 'leads out of the archive'
  return components.some((part) => Buffer.byteLength(part) > longestComponent)
    ? `has a name of more than ${String(longestComponent)} bytes`
    : null
}

/** Without a Unix mode, the folder bit of DOS (APPNOTE 4.4.15). */
const dosFolder = 0x10

function fileTypeOf(attributes: number): 'unknown' | 'file' | 'folder' | 'other' {
  switch ((attributes >>> 16) & 0o170000) {
    case 0:
      return (attributes & dosFolder) === 0 ? 'unknown' : 'folder'
    case 0o100000:
      return 'file'
    case 0o040000:
      return 'folder'
    default:
      return 'other'
  }
}

function refused(reason: string): EntryVerdict {
  return { kind: 'refused', reason }
}
