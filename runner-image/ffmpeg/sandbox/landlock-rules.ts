/**
 * The file system as FFmpeg sees it: the kernel refuses everything that no rule allows, for any
 * command line, filter or crafted media file (landlock(7), setpriv(1)).
 */

/** Rights that the kernel's Landlock supports: truncate came with Linux 6.2, refer with 5.19. */
export const landlockLevels = ['all', 'without-truncate', 'without-refer'] as const
export type LandlockLevel = (typeof landlockLevels)[number]

export interface JobFolders {
  readonly inputs: string
  readonly work: string
  readonly temporary: string
}

/**
 * setpriv's arguments. A rule on a missing path is an error and nothing runs, so the paths come
 * from `existing`, what was found at start.
 * @param work ffprobe only reads
 */
export function landlockArguments(options: {
  readonly level: LandlockLevel
  readonly folders: JobFolders
  readonly work: 'read' | 'write'
  readonly existing: ReadonlySet<string>
}): string[] {
  const { level, folders, work, existing } = options
  const known = new Set(rightsOf(level))
  return [
    '--landlock-access',
    level === 'all' ? 'fs' : `fs:${rightsOf(level).join(',')}`,
    ...candidates(folders)
      .filter(({ path }) => existing.has(path))
      .flatMap(({ path, rights }) => {
        const wanted = path === folders.work && work === 'read' ? readable : rights
        const granted = wanted.filter((right) => known.has(right))
        return ['--landlock-rule', `path-beneath:${granted.join(',')}:${path}`]
      }),
  ]
}

export interface Candidate {
  readonly path: string
  /** Only if it is a real folder: a link into /usr is covered by /usr's rule. */
  readonly onlyUnlinked: boolean
  readonly rights: readonly Right[]
}

/** Every path that a rule may name, in rule order. */
export function candidates(folders: JobFolders): Candidate[] {
  return [
    { path: '/usr', onlyUnlinked: false, rights: executable },
    ...['/lib', '/lib64', '/bin'].map((path) => ({
      path,
      onlyUnlinked: true,
      rights: executable,
    })),
    { path: '/etc/fonts', onlyUnlinked: false, rights: readable },
    { path: '/var/cache/fontconfig', onlyUnlinked: false, rights: readable },
    // on a file, a right of folders is "Invalid argument"
    { path: '/etc/ld.so.cache', onlyUnlinked: false, rights: ['read-file'] },
    { path: '/dev/null', onlyUnlinked: false, rights: ['read-file', 'write-file'] },
    // libnuma reads it at each start of x265; the environment beside it stays closed
    { path: '/proc/self/status', onlyUnlinked: false, rights: ['read-file'] },
    // without it x265 finds no CPU and disables its thread pool
    { path: '/sys/devices/system', onlyUnlinked: false, rights: readable },
    { path: folders.inputs, onlyUnlinked: false, rights: readable },
    { path: folders.work, onlyUnlinked: false, rights: writable },
    { path: folders.temporary, onlyUnlinked: false, rights: writable },
  ]
}

/** Names of setpriv(1). */
const allRights = [
  'execute',
  'write-file',
  'read-file',
  'read-dir',
  'remove-dir',
  'remove-file',
  'make-char',
  'make-dir',
  'make-reg',
  'make-sock',
  'make-fifo',
  'make-block',
  'make-sym',
  'refer',
  'truncate',
] as const
export type Right = (typeof allRights)[number]

const readable: readonly Right[] = ['read-file', 'read-dir']
const executable: readonly Right[] = ['execute', ...readable]
// no link, pipe or socket can be made: `transfer`, which has the network, walks these folders
const writable: readonly Right[] = [
  ...readable,
  'write-file',
  'remove-file',
  // to give a folder another name is to remove it, and smooth streaming names its own by what is in them
  'remove-dir',
  'make-dir',
  'make-reg',
  'refer',
  'truncate',
]

/** Handled rights: what is handled and granted by no rule is refused. */
function rightsOf(level: LandlockLevel): readonly Right[] {
  switch (level) {
    case 'all':
      return allRights
    case 'without-truncate':
      return allRights.filter((right) => right !== 'truncate')
    case 'without-refer':
      return allRights.filter((right) => right !== 'truncate' && right !== 'refer')
  }
}
