import { mayLeaveFolder } from './parent-folder.ts'
import { withoutPatterns } from './pattern-pieces.ts'

const fontsFolder = '/usr/share/fonts'

/** Everything that FFmpeg takes for a protocol: `http:`, `file:`, `subfile,,start,0,end,9,,:`, `x:y.mp4`. */
const scheme = /^(?:[A-Za-z0-9+.,-]*:|subfile,)/i
export const protocolProblem =
  'is a URL or names a protocol; URLs belong in input_files, their aliases here'
// eslint-disable-next-line no-control-regex -- the pattern matches control characters on purpose
const control = /[\0-\x1f\x7f-\x9f]/

/**
 * Why a file name cannot be used wherever it stands, as the rest of a sentence; null when it is a
 * relative name that stays below the working directory.
 */
export function pathProblem(path: string): string | null {
  if (path.startsWith('/')) return 'is an absolute path; only the declared files can be used'
  if (path.startsWith('~')) return "begins with '~', and there is no home folder"
  if (/^(?:-$|pipe:)/i.test(path)) {
    return 'is standard input or output, which FFmpeg does not have here; write an alias in its place'
  }
  if (path.startsWith('-')) return "begins with '-', as no file may"
  if (path.startsWith('|')) return "begins with '|'; other programs cannot be started"
  // without its backslashes too, which a shell would have taken
  if (/^[A-Za-z]\\?:(?!:)/.test(path)) {
    return 'is an absolute path of Windows; only the declared files can be used'
  }
  if (path.includes('\\')) return 'contains a backslash; folders are separated by /'
  // `%v://host`, `md%d:name`, `fil?:name` and `$Number$:name` become protocols while FFmpeg runs.
  if (scheme.test(withoutPatterns(path))) {
    return protocolProblem
  }
  if (mayLeaveFolder(path)) return "leaves the working directory by '..'"
  if (control.test(path)) return 'contains a control character'
  return null
}

/** Fonts of the image and their folder are the one thing outside the working directory that may be named. */
export function isImageFont(path: string): boolean {
  const isThere = path === fontsFolder || path.startsWith(`${fontsFolder}/`)
  return isThere && !mayLeaveFolder(path.slice(1)) && !control.test(path)
}
