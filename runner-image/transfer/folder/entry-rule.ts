export interface EntryFacts {
  readonly name: Uint8Array
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
export function entryVerdict(entry: EntryFacts): EntryVerdict {
  const name = decoded(entry.name)
  if (name === null) return refused('an entry has a name that is not UTF-8')
  if (/^__MACOSX\/|(^|\/)\.DS_Store$/.test(name)) return { kind: 'skip' }
  const shown = JSON.stringify(name.slice(0, 200))
  if (entry.encrypted) return refused(`${shown} is encrypted`)
  const problem = nameProblem(name)
  if (problem !== null) return refused(`${shown} ${problem}`)
  const path = name.replace(/\/$/, '')
  switch (fileTypeOf(entry.externalFileAttributes)) {
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

function nameProblem(name: string): string | null {
  if (/\p{Cc}/u.test(name)) return 'has control characters in its name'
  if (name.includes('\\')) return 'has a backslash in its name'
  if (name.startsWith('/')) return 'has an absolute name'
  if (name.startsWith('-')) return 'begins with a dash'
  const components = name.replace(/\/$/, '').split('/')
  if (components.length > deepest) return `lies deeper than ${String(deepest)} folders`
  if (components.some((part) => part === '' || part === '.' || part === '..')) {
    return "has an empty, '.' or '..' part in its name"
  }
  return components.some((part) => Buffer.byteLength(part) > longestComponent)
    ? `has a name of more than ${String(longestComponent)} bytes`
    : null
}

function fileTypeOf(attributes: number): 'unknown' | 'file' | 'folder' | 'other' {
  switch ((attributes >>> 16) & 0o170000) {
    case 0:
      return 'unknown'
    case 0o100000:
      return 'file'
    case 0o040000:
      return 'folder'
    default:
      return 'other'
  }
}

function decoded(name: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function refused(reason: string): EntryVerdict {
  return { kind: 'refused', reason }
}
